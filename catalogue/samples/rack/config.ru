run lambda { |env| [200, { "Content-Type" => "text/plain", "Content-Length" => "16" }, ["Hello from Rack\n"]] }
