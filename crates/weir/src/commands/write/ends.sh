
while :; do
    look
    sleep 1 9>&- &
    pause=$!
    wait "$pause" || : # a signal cuts it short
done
