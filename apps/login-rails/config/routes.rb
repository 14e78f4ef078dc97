Rails.application.routes.draw do
  resource :login, only: :show
end
