case $host in
    *[!0-9.]* | .* | *. | *..* | *.*.*.*.*) false ;;
    # no part is above 255 or begins with a 0 that says nothing
    *[0-9][0-9][0-9][0-9]* | *[3-9][0-9][0-9]* | *2[6-9][0-9]* | *25[6-9]* | 0[0-9]* | *.0[0-9]*) false ;;
    *.*.*.*) ;;
    *) false ;;
esac || wrong "HOST is $host: set it to an IPv4 address (0.0.0.0 for all of this machine, 127.0.0.1 for it alone)"
