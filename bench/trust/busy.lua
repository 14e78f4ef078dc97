-- A script that computes for a millisecond or so before each request.
function request()
    local sum = 0
    for i = 1, 100000 do
        sum = sum + i % 7
    end
    return wrk.format()
end
