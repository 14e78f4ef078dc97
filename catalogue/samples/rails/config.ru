require "action_controller/railtie"

class HelloController < ActionController::Base
  def hello = render(plain: "Hello from Rails\n")
end

class Hello < Rails::Application
  config.root = __dir__
  config.eager_load = true
  config.load_defaults 6.1
  config.secret_key_base = "known to everybody: it guards nothing"
  config.hosts.clear
  config.logger = Logger.new(nil)
  routes.append { root to: "hello#hello" }
end

Hello.initialize!
run Hello
