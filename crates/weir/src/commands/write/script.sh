running=
pause=
printer=
noted=
space=

# Says something, with each backslash in it as it is. Where nobody hears it any more it goes on.
say() {
    printf '%s\n' "$0: $1" >&2 || :
}

# Says what is wrong, and ends as what cannot be started as it is.
wrong() {
    say "$1"
    exit 78
}

# Says what is in its way, and ends as what can be started once that has gone.
taken() {
    say "$1"
    exit 75
}

# What the kernel says of a process: with 1 its state, 2 its parent, 4 its session, 20 when it began, in ticks of the machine's
# clock. Nothing where there is no such process.
figure() {
    stat=$(cat "/proc/${1:-0}/stat" 2> /dev/null) || return 0
    set -- "$2" ${stat##*")"}
    shift "$1"
    echo "$1"
}

# When a process began, as its number may be another process's later; nothing where it has ended.
began() {
    [ "$(figure "$1" 1)" = Z ] || figure "$1" 20
}

# Notes a process of this start for the next one, and the signal that ends it. Numbers mean nothing after another start of the
# machine or of the container.
note() {
    echo "$1 $(began "$1") $space $2" >> "$noted"
}

# The processes noted by an earlier start that still run, the script itself first.
survivors() {
    [ -e "$folder/running" ] || return 0
    while read -r pid since at _; do
        [ "$at" != "$space" ] || [ "$(began "$pid")" != "$since" ] || echo "$pid"
    done < "$folder/running"
}

# The processes of a session. Each program has one of the same number as its own, and its workers are in it even when it is gone.
# A process may be called what it likes, a line of this table too, so that each is looked at again.
members() {
    listed=$(sed -n "s/^\([0-9]*\) (.*) [^XZ] [0-9]* [0-9]* $1 .*/\1/p" /proc/[0-9]*/stat 2> /dev/null) || :
    for member in $listed; do
        [ "$(figure "$member" 4)" != "$1" ] || echo "$member"
    done
}

# Whether the session of a program that an earlier start noted is still that program's: it runs, or has left a process that began
# before that start last saw it run. A stranger's session of the same number would have begun later. What is no number was not
# noted by a start.
owned() {
    case $1$2 in *[!0-9]*) return 1 ;; esac
    case $(began "$1") in
        "$2") return 0 ;;
        ?*) return 1 ;;
    esac
    last=$(cat "$folder/seen" 2> /dev/null) || return 1
    for worker in $(members "$1"); do
        first=$(began "$worker")
        [ "$first" -ge "$last" ] 2> /dev/null || [ "$?" -ne 1 ] || return 0
    done
    return 1
}

# Names processes, by their numbers. What a process is called may steer a terminal.
named() {
    names=
    for pid in "$@"; do
        name=$(cat "/proc/$pid/comm" 2> /dev/null | tr -dc ' -~')
        names="${names:+$names, }${name:-one} (process $pid)"
    done
    printf '%s\n' "$names"
}

# Names processes, and says what ends them. Workers end with their master. Those of one that is gone may heed KILL alone: their
# parent is of another session, and the session not their own. Without the first process the machine or the container ends.
whose() {
    if [ $# -eq 0 ]; then
        echo 'a process that this user cannot see: end it'
        return
    fi
    masters=
    orphans=
    parents=' '
    for pid in "$@"; do
        parents="$parents$(figure "$pid" 2) "
    done
    for pid in "$@"; do
        parent=$(figure "$pid" 2)
        session=$(figure "$pid" 4)
        case "$pid:$parent: $* " in
            1:*) continue ;;
            *:0:* | *:1:*) ;;
            *" $parent "*) continue ;;
        esac
        case "$parents:$parent" in *" $pid "* | *:0) session=$pid ;; esac
        case $session in
            "$pid" | "$(figure "$parent" 4)") masters="$masters $pid" ;;
            *) orphans="$orphans $pid" ;;
        esac
    done
    ends="${masters:+\`kill$masters\`}${masters:+${orphans:+ and }}"
    ends="$ends${orphans:+\`kill -KILL$orphans\`, as its master is gone}"
    printf '%s\n' "$(named "$@"): end it${ends:+ with $ends}"
}

# Whether a program still runs: what has its number may be another process by now, unless it is this script's own child, as one is
# whose begin a signal kept from being noted.
runs() {
    eval "since=\$since_$1"
    now=$(began "$1")
    [ -n "$now" ] || return 1
    if [ -n "$since" ]; then [ "$now" = "$since" ]; else [ "$(figure "$1" 2)" = "$$" ]; fi
}

# Ends what is left of a program that has ended: where it was killed, its workers may not notice, and keep its port.
sweep() {
    [ -z "$(began "$1")" ] || return 0
    eval "signal=\$signal_$1"
    more=40
    while workers=$(members "$1") && [ -n "$workers" ] && [ "$more" -gt 0 ]; do
        if [ "$more" -eq 40 ]; then
            kill -s "$signal" $workers 2> /dev/null || :
        elif [ "$more" -le 20 ]; then
            kill -s KILL $workers 2> /dev/null || :
        fi
        sleep 0.1 || :
        more=$((more - 1))
    done
}

# Sends a program a signal, and waits for its end, so many tenths of a second at most.
ask() {
    { runs "$1" && kill -s "$2" "$1" 2> /dev/null; } || return 0
    left=$3
    while [ "$left" -gt 0 ] && runs "$1"; do
        sleep 0.1 || : # Ctrl-C ends it, too
        left=$((left - 1))
    done
}

# Ends the programs, the one that was started last first, so that each can finish its requests. What takes longer than
# the grace, or is cut short by another signal, is ended at once, and killed where it does not heed that.
stop() {
    for pid in $running; do
        eval "signal=\$signal_$pid"
        ask "$pid" "$signal" $((grace * 10))
        ask "$pid" TERM 30
        ask "$pid" KILL 30
        sweep "$pid"
    done
}

# Remembers a program that a signal kept from being remembered when it was started.
last() {
    case " $running $pause $printer " in *" ${!:-} "*) return ;; esac
    [ "$(figure "$!" 2)" = "$$" ] || return 0
    running="$! $running"
    eval "signal_$!=TERM since_$!="
}

# Ends all that this start has begun.
end() {
    trap - EXIT
    trap 'left=0' HUP INT QUIT TERM
    last
    stop
    kill $pause 2> /dev/null || :
    [ -z "$running" ] || wait $running || :
    for pid in $running; do
        sweep "$pid"
    done
    # What they printed last is waited for, but not what a process prints that one of them has left behind.
    exec 2> /dev/null
    left=20
    while [ -n "$printer" ] && [ "$left" -gt 0 ] && kill -0 "$printer"; do
        sleep 0.1 || :
        left=$((left - 1))
    done
    [ -z "$noted" ] || rm -f "$noted" "$folder/seen"
}
trap end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 131' QUIT
trap 'exit 143' TERM
# Where nobody hears it any more, it would end at its next word, and leave its programs. These begin without this trap.
trap : PIPE

# Becomes a program, in a shell of its own, which notes itself first, with the signal after which it finishes its requests and ends:
# however this script is killed, the next start knows of it.
begins() {
    read -r own _ < /proc/self/stat
    note "$own" "$1" || : # a full disk ends nothing
    shift
    exec "$@"
}

# Remembers a program that was just started: its name, and that signal.
started() {
    eval "name_$!=\$1 signal_$!=\$2 since_$!="
    running="$! $running"
    eval "since_$!=$(began "$!")"
}

# Ends with the first program that has ended, and as it did; 75 and 78 are this script's own.
look() {
    for pid in $running; do
        if ! kill -0 "$pid" 2> /dev/null; then
            status=0
            wait "$pid" || status=$?
            eval "name=\$name_$pid"
            say "$name has ended with status $status: ending what else runs"
            case $status in 75 | 78) status=1 ;; esac
            exit "$status"
        fi
    done
}
