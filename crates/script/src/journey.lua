-- What a user of a journey asks with. The table has `json` already. weir gives `make`, which makes a request of
-- what was asked for, and takes the function that makes the user of a number: a coroutine, resumed with each answer.
local weir = ...
local create, running, yield = coroutine.create, coroutine.running, coroutine.yield
local error, type = error, type
local make

-- By coroutine: whether this user has asked for something yet, and for how long it sleeps before it asks next.
local users = setmetatable({}, { __mode = "k" })

-- The user who runs. An error names the line of the script that has called one of the functions below.
local function current()
  return users[running() or false] or error("only user() asks and sleeps, and in no coroutine of its own", 3)
end

local function ask(method, path, headers, body, name)
  local own = current()
  local made = make(method, path, headers, body, name, own.sleeps)
  own.sleeps, own.asked = 0, true
  return yield(made)
end

function weir.get(path, headers, name)
  return ask("GET", path, headers, nil, name)
end

function weir.post(path, body, headers, name)
  return ask("POST", path, headers, body, name)
end

function weir.request(asked)
  if type(asked) ~= "table" then
    error('weir.request() takes a table, as in weir.request{ method = "PUT", path = "/" }', 2)
  end
  return ask(asked.method or "GET", asked.path, asked.headers, asked.body, asked.name)
end

function weir.sleep(seconds)
  local own = current()
  if type(seconds) ~= "number" or not (seconds >= 0) then
    error("weir.sleep() takes a number of seconds, from 0 on", 2)
  end
  own.sleeps = own.sleeps + seconds
end

local function create_user(number)
  local own = { sleeps = 0 }
  local it = create(function()
    while true do
      own.asked = false
      user(number)
      if not own.asked then
        error("user() has returned and asked for nothing: it asks with weir.get(), weir.post() or weir.request()", 0)
      end
    end
  end)
  users[it] = own
  return it
end

return function(given)
  make = given
  return create_user
end
