run lambda { |env|
  body = env["PATH_INFO"] == "/echo" ? env["rack.input"].read : "Hello from Rack\n"
  [200, { "Content-Type" => "text/plain", "Content-Length" => body.bytesize.to_s }, [body]]
}
