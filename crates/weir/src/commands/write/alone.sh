
# The files name this folder by its full path.
[ "$(readlink -f "$0")" = "$folder/start.sh" ] ||
    wrong 'its files name another folder, so let weir write them again where they are to lie'

# One start at a time. Its programs do not hold this lock, as what they leave behind may outlive them.
command -v flock > /dev/null || wrong 'there is no `flock` here: install util-linux'
(: > "$folder/lock") 2> /dev/null || wrong "$folder/lock cannot be written: start this as the user whose folder it is"
exec 9> "$folder/lock"
tries=50
until flock -n 9; do
    [ "$?" -eq 1 ] || wrong "$folder/lock cannot be locked: let weir write the files to a disk of this machine"
    if [ "$tries" -eq 0 ]; then
        taken "it runs already, as $(whose $(survivors | head -n 1))"
    fi
    tries=$((tries - 1))
    sleep 0.1
done

# What is left of a killed script is not started a second time.
pids=$(survivors)
[ -z "$pids" ] || taken "what an earlier start left still runs, as $(whose $pids)"
: > "$folder/running"
noted=$folder/running
note "$$"

# Some programs open /dev/stderr by its name. Where that is a socket, as under systemd, or somebody else's, they cannot; and a
# file they would begin anew. So it is a pipe, and what comes out of it goes where the script's own words go.
rm -f "$folder/stderr"
mkfifo -m 600 "$folder/stderr"
(
    trap '' INT TERM
    exec cat < "$folder/stderr" >&2 9>&-
) &
printer=$!
exec 2> "$folder/stderr"
rm -f "$folder/stderr"
