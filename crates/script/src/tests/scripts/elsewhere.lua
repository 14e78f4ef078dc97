-- chooses among the addresses that answer
local found

function setup(thread)
  if not found then
    found = {}
    for _, address in ipairs(wrk.lookup(wrk.host, wrk.port or "http")) do
      if wrk.connect(address) then found[#found + 1] = address end
    end
  end
  thread.addr = found[#found]
end

function init() where = tostring(wrk.thread.addr) end
