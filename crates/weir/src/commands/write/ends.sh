
while :; do
    look
    sleep 1 9>&- &
    pause=$!
    { figure "$pause" 20 > "$folder/seen"; } 2> /dev/null || : # a full disk ends nothing
    wait "$pause" || : # a signal cuts it short
    pause= # its number may be another process's now
done
