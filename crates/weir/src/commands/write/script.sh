running=
pause=
end() {
    trap - EXIT
    kill $running $pause 2> /dev/null || :
    wait
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Remembers a program that was just started, and its name.
started() {
    running="$running $!"
    eval "name_$!=\$1"
}

# Ends with the first program that has ended, and as it did.
look() {
    for pid in $running; do
        if ! kill -0 "$pid" 2> /dev/null; then
            status=0
            wait "$pid" || status=$?
            eval "name=\$name_$pid"
            echo "$0: $name has ended with status $status: ending what else runs" >&2
            exit "$status"
        fi
    done
}
