-- The table that a script knows as `wrk`, with wrk's own behaviour. weir adds what needs the system
-- (`lookup`, `connect`) and what belongs to the load (`scheme`, `host`, `port`, `path`, `addrs`).
local wrk = { scheme = "http", host = "localhost", method = "GET", path = "/", headers = {} }

local function call_if_defined(name, argument)
  local wanted = rawget(_G, name)
  if type(wanted) == "function" then
    wanted(argument)
  end
end

function wrk.resolve(host, service)
  wrk.addrs = {}
  for _, address in ipairs(wrk.lookup(host, service)) do
    if wrk.connect(address) then
      table.insert(wrk.addrs, address)
    end
  end
end

function wrk.setup(thread)
  call_if_defined("setup", thread)
end

function wrk.init(args)
  if not wrk.headers["Host"] then
    local name = wrk.host:find(":", 1, true) and "[" .. wrk.host .. "]" or wrk.host
    wrk.headers["Host"] = wrk.port and name .. ":" .. wrk.port or name
  end
  call_if_defined("init", args)
  -- a script without request() sends this one again and again
  local ready = wrk.format()
  wrk.request = function() return ready end
end

-- The headers given are changed, as wrk does: scripts pass the same table many times.
function wrk.format(method, path, headers, body)
  headers = headers or wrk.headers
  body = body or wrk.body
  headers["Host"] = headers["Host"] or wrk.headers["Host"]
  headers["Content-Length"] = body and string.len(body)

  local lines = { string.format("%s %s HTTP/1.1", method or wrk.method, path or wrk.path) }
  for name, value in pairs(headers) do
    lines[#lines + 1] = string.format("%s: %s", name, value)
  end
  return table.concat(lines, "\r\n") .. "\r\n\r\n" .. (body or "")
end

return wrk
