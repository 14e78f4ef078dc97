class LoginsController < ApplicationController
  def show
    account = authenticate_with_http_basic { |name, password| Account.authenticate(name, password) }
    return request_http_basic_authentication("login", "Who are you?\n") unless account

    reset_session
    session[:account] = account.name
    render plain: "Welcome, #{account.name}.\n"
  end
end
