-- the thread stops itself at the third answer
local seen = 0

function setup(thread) thread:stop() end -- it does not run yet: no effect

function response()
  seen = seen + 1
  if seen == 3 then wrk.thread:stop() end
end
