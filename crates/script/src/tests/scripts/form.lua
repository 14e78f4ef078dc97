-- sends a form, the same again and again
wrk.method = "POST"
wrk.body = "name=value&other=thing"
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
