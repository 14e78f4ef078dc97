running=
pause=
printer=

# Says what is wrong, and ends as what cannot be started as it is.
wrong() {
    echo "$0: $1" >&2
    exit 78
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
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Remembers a program that was just started: its name, and the signal after which it finishes its requests and ends.
started() {
    running="$! $running"
    eval "name_$!=\$1 signal_$!=\$2"
}

# Ends with the first program that has ended, and as it did; 78 is what this script itself refuses.
look() {
    for pid in $running; do
        if ! kill -0 "$pid" 2> /dev/null; then
            status=0
            wait "$pid" || status=$?
            eval "name=\$name_$pid"
            echo "$0: $name has ended with status $status: ending what else runs" >&2
            [ "$status" -ne 78 ] || status=1
            exit "$status"
        fi
    done
}
