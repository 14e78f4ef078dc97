
# The files name this folder by its full path.
[ "$(readlink -f "$0")" = "$folder/start.sh" ] ||
    wrong 'its files name another folder, so let weir write them again where they are to lie'

# One start at a time. Its programs do not hold this lock, as what they leave behind may outlive them.
for tool in flock setsid; do
    command -v "$tool" > /dev/null || wrong "there is no \`$tool\` here: install util-linux"
done
space=$(cat /proc/sys/kernel/random/boot_id 2> /dev/null)/$(began 1)
(: > "$folder/lock") 2> /dev/null || wrong "$folder/lock cannot be written: start this as the user whose folder it is"
exec 9> "$folder/lock"
tries=50
until flock -n 9; do
    [ "$?" -eq 1 ] || wrong "$folder/lock cannot be locked: let weir write the files to a disk of this machine"
    if [ "$tries" -eq 0 ]; then
        # the script itself, which ends its programs: TERM is right for it, whoever its parent is now
        first=$(survivors | head -n 1)
        [ -n "$first" ] || taken "it runs already, as $(whose)"
        taken "it runs already, as $(named "$first"): end it with \`kill $first\`"
    fi
    [ "$tries" -ne 45 ] || say 'it runs already: waiting for its end, about 5 s at most'
    tries=$((tries - 1))
    sleep 0.1
done

# What a killed script has left is ended before anything is started.
: >> "$folder/running"
while read -r pid since at signal; do
    if [ "$at" = "$space" ] && [ -n "$signal" ] && owned "$pid" "$since"; then
        running="$pid $running"
        eval "signal_$pid=\$signal since_$pid=\$since"
    fi
done < "$folder/running"
if [ -n "$running" ]; then
    rest=$(for pid in $running; do members "$pid"; done)
    say "ending what an earlier start left: $(named $rest)"
    stop
    more=20 # what was told to end at once needs a moment
    while rest=$(for pid in $running; do members "$pid"; done) && [ -n "$rest" ] && [ "$more" -gt 0 ]; do
        sleep 0.1 || :
        more=$((more - 1))
    done
    running=
    [ -z "$rest" ] || taken "what an earlier start left still runs, as $(whose $rest)"
fi
rm -f "$folder/seen"
: > "$folder/running"
noted=$folder/running
note "$$" ''

# Some programs open /dev/stderr by its name. Where that is a socket, as under systemd, or somebody else's, they cannot; and a
# file they would begin anew. So it is a pipe, and what comes out of it goes where the script's own words go.
rm -f "$folder/stderr"
mkfifo -m 600 "$folder/stderr"
(
    trap '' HUP INT QUIT TERM
    exec cat < "$folder/stderr" >&2 9>&-
) &
printer=$!
exec 2> "$folder/stderr"
rm -f "$folder/stderr"
