# What Rails' generator writes, with one resource, of Debian's gems.
rails new shop --minimal --skip-bundle --skip-sprockets --skip-listen --skip-git --quiet
cd shop
export BUNDLE_USER_HOME=$apps/bundle
# Only resolved, as there is nothing to install: a Bundler that is newer than Debian's own takes gems of Debian that have
# no folder of their own for missing when it installs, and finds them when it loads.
bundle lock --local
bin/rails generate scaffold post title:string body:text --quiet
RAILS_ENV=production bin/rails db:migrate
