-- counts answers with status 200 whose body holds a word, thread by thread
local threads = {}

function setup(thread) threads[#threads + 1] = thread end

function init(args)
  right, wrong, word = 0, 0, args[1] or "ok"
end

function response(status, headers, body)
  if status == 200 and body:find(word, 1, true) then
    right = right + 1
  else
    wrong = wrong + 1
  end
end

function done(summary, latency)
  local r, w = 0, 0
  for _, thread in ipairs(threads) do
    r, w = r + thread:get("right"), w + thread:get("wrong")
  end
  line = string.format("right=%d wrong=%d of %d p99=%d", r, w, summary.requests, latency:percentile(99))
  io.write(line, "\n")
end
