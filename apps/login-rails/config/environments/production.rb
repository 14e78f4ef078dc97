Rails.application.configure do
  config.eager_load = true
  config.logger = ActiveSupport::Logger.new($stderr)
  config.log_level = :warn
  # a laboratory's: it guards nothing
  config.secret_key_base = "weir" * 32
end
