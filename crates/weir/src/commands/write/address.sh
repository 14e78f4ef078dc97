case $port in
    *[!0-9]* | 0* | ??????*) false ;;
    *) [ "$port" -le 65535 ] ;;
esac || wrong "PORT is $port, which is no port: set it to a number from 1 to 65535, or unset it"
for taken in $behind; do
    [ "$port" != "$taken" ] || wrong "PORT is $port, which a program behind takes: set another one"
done
case $host in
    *[!0-9.]*) wrong "HOST is $host: set it to an IPv4 address (0.0.0.0 for all of this machine, 127.0.0.1 for it alone)" ;;
esac
