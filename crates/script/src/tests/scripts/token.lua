-- logs in once, then shows the token that the answer's header brought
local where = "/login"

function request()
  return wrk.format("GET", where)
end

function response(status, headers, body)
  if status == 200 and headers["X-Token"] then
    wrk.headers["X-Token"] = headers["X-Token"]
    where = "/private"
  end
end
