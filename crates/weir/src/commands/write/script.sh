running=
pause=
printer=
noted=

# Says what is wrong, and ends as what cannot be started as it is.
wrong() {
    echo "$0: $1" >&2
    exit 78
}

# Says what is in its way, and ends as what can be started once that has gone.
taken() {
    echo "$0: $1" >&2
    exit 75
}

# When a process began, in ticks of the machine's clock, as a number may be another process's later; nothing where it has ended.
began() {
    stat=$(cat "/proc/$1/stat" 2> /dev/null) || return 0
    set -- ${stat##*")"}
    [ "$1" = Z ] || echo "${20}"
}

# Notes a process of this start, for the next one.
note() {
    echo "$1 $(began "$1")" >> "$noted"
}

# The processes noted by an earlier start that still run, the script itself first.
survivors() {
    [ -e "$folder/running" ] || return 0
    while read -r pid since; do
        [ "$(began "$pid")" != "${since:-ended}" ] || echo "$pid"
    done < "$folder/running"
}

# Names processes, by their numbers, and says what ends them.
whose() {
    names=
    for pid in "$@"; do
        name=$(cat "/proc/$pid/comm" 2> /dev/null) || name=one
        names="${names:+$names, }$name (process $pid)"
    done
    if [ -n "$names" ]; then
        echo "$names: end it with \`kill $*\`"
    else
        echo 'a process that this user cannot see: end it'
    fi
}

# Ends the programs, the one that was started last first, so that each can finish its requests. What takes longer than
# the grace, or is cut short by another signal, is ended at once.
end() {
    trap - EXIT
    trap 'left=0' INT TERM
    for pid in $running; do
        left=$((grace * 10))
        eval "signal=\$signal_$pid"
        kill -s "$signal" "$pid" 2> /dev/null || continue
        while [ "$left" -gt 0 ] && kill -0 "$pid" 2> /dev/null; do
            sleep 0.1 || : # Ctrl-C ends it, too
            left=$((left - 1))
        done
        kill "$pid" 2> /dev/null || :
    done
    kill $pause 2> /dev/null || :
    [ -z "$running" ] || wait $running || :
    # What they printed last is waited for, but not what a process prints that one of them has left behind.
    exec 2> /dev/null
    left=20
    while [ -n "$printer" ] && [ "$left" -gt 0 ] && kill -0 "$printer"; do
        sleep 0.1 || :
        left=$((left - 1))
    done
    [ -z "$noted" ] || rm -f "$noted"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Remembers a program that was just started: its name, and the signal after which it finishes its requests and ends.
started() {
    running="$! $running"
    eval "name_$!=\$1 signal_$!=\$2"
    note "$!"
}

# Ends with the first program that has ended, and as it did; 75 and 78 are this script's own.
look() {
    for pid in $running; do
        if ! kill -0 "$pid" 2> /dev/null; then
            status=0
            wait "$pid" || status=$?
            eval "name=\$name_$pid"
            echo "$0: $name has ended with status $status: ending what else runs" >&2
            case $status in 75 | 78) status=1 ;; esac
            exit "$status"
        fi
    done
}
