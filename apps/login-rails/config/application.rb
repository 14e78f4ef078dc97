require "active_model/railtie"
require "action_controller/railtie"

module Login
  class Application < Rails::Application
    config.load_defaults 6.1
    # Rack::Lock around each request, as in the days when Rails was not thread-safe
    config.allow_concurrency = false
  end
end
