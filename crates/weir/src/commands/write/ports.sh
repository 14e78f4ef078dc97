case $port in
    *[!0-9]* | 0* | ??????*) false ;;
    *) [ "$port" -le "$highest" ] ;;
esac || wrong "PORT is $port: set it to a number from 1 to $highest, or unset it"

# Who has one of the sockets of these numbers.
owners() {
    ls -l /proc/[0-9]*/fd 2> /dev/null | while read -r line; do
        case $line in
            /proc/*)
                pid=${line#/proc/}
                pid=${pid%%/*}
                ;;
            *' -> /'*) ;; # a file, whatever it is called
            *"socket:["*"]")
                socket=${line##*"socket:["}
                case " $* " in *" ${socket%]} "*) echo "$pid" ;; esac
                ;;
        esac
    done | uniq
}

# Makes sure that nothing listens at an address and port: of two programs there the second one does not start, or clients come
# to either. An address in the kernel's table is in hexadecimal digits, the last byte first; who listens there has the state 0A.
free() {
    own=$(IFS=. && set -- $1 && printf '%02X%02X%02X%02X' "$4" "$3" "$2" "$1")
    number=$(printf '%04X' "$2")
    sockets=
    while read -r _ at _ _ _ _ _ _ _ inode _; do
        case $own:$at in
            *:00000000:"$number" | *:00000000000000000000000000000000:"$number" | \
                "$own":*"$own:$number" | 00000000:????????:"$number")
                sockets="$sockets $inode"
                ;;
        esac
    done <<END
$(sed -n '/ 0A /p' /proc/net/tcp /proc/net/tcp6 2> /dev/null)
END
    [ -z "$sockets" ] ||
        taken "port $2 is taken by $(whose $(owners $sockets)), or set PORT to one that is free$besides"
}
