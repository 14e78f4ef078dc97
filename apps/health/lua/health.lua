-- Is it up? At once, or after a wait in which nothing is computed.
local WAIT = 0.1 -- seconds that another service would take to answer

if ngx.var.uri == "/health/wait" then
    ngx.sleep(WAIT)
elseif ngx.var.uri ~= "/health" then
    return ngx.exit(ngx.HTTP_NOT_FOUND)
end
ngx.header["Content-Type"] = "text/plain"
ngx.header["Content-Length"] = 2
ngx.print("ok")
