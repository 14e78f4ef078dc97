case $port in
    *[!0-9]* | 0* | ??????*) false ;;
    *) [ "$port" -le "$highest" ] ;;
esac || wrong "PORT is $port: set it to a number from 1 to $highest, or unset it"

# Who has the socket of this number.
owners() {
    ls -l /proc/[0-9]*/fd 2> /dev/null | while read -r line; do
        case $line in
            /proc/*)
                pid=${line#/proc/}
                pid=${pid%%/*}
                ;;
            *"socket:[$1]") echo "$pid" ;;
        esac
    done | uniq
}

# Makes sure that nothing listens at an address and port: of two programs there the second one does not start, or clients come
# to either. An address in the kernel's table is in hexadecimal digits, the last byte first; who listens there has the state 0A.
free() {
    own=$(IFS=. && set -- $1 && printf '%02X%02X%02X%02X' "$4" "$3" "$2" "$1")
    number=$(printf '%04X' "$2")
    while read -r _ at _ _ _ _ _ _ _ inode _; do
        case $own:$at in
            *:00000000:"$number" | *:00000000000000000000000000000000:"$number" | \
                "$own":*"$own:$number" | 00000000:????????:"$number")
                taken "port $2 is taken by $(whose $(owners "$inode")), or set PORT to one that is free$besides"
                ;;
        esac
    done <<END
$(sed -n '/ 0A /p' /proc/net/tcp /proc/net/tcp6 2> /dev/null)
END
}
