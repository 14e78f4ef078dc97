-- gives each thread a number, and adds up what they did
local all, next_id = {}, 1

function setup(thread)
  thread:set("id", next_id)
  thread:set("given", { 1, two = { true, "three" } })
  next_id = next_id + 1
  all[#all + 1] = thread
end

function init(args)
  asked, answered = 0, 0
  first, second, how_many = args[0], args[1], #args
end

function request()
  asked = asked + 1
  return wrk.request()
end

function response() answered = answered + 1 end

function done()
  said = ""
  for _, thread in ipairs(all) do
    said = said .. string.format("%d: %d %d\n", thread:get("id"), thread:get("asked"), thread:get("answered"))
  end
  same = all[1]:get("given").two[2]
  none = all[1]:get("no such thing")
  refused = select(2, pcall(function() return all[1]:get("init") end))
  refused = tostring(refused)
end
