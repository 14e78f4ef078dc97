-- every request has a number, in its path and in a header
local number = 0

request = function()
  wrk.headers["X-Number"] = number
  local made = wrk.format(nil, "/item/" .. number)
  number = number + 1
  return made
end
