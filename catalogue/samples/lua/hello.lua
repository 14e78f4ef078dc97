ngx.header["Content-Type"] = "text/plain"
ngx.header["Content-Length"] = 15
ngx.print("Hello from Lua\n")
