#!/usr/bin/env bash
# Apps that weir's authors did not write, as their registries have them, into the folder $1. They are
# what tests/foreign_apps.rs serves; everything is pinned, and nothing of it is committed.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
apps=$PWD

# A virtual environment as a user of these apps has it, with some servers.
python3 -m venv python
python/bin/python -m pip install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"

# Django: the example project of django-guardian, set up as its documentation says.
sdist() {
	python/bin/python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --dest sdists "$1==$2"
	tar -xzf sdists/"$1-$2".tar.gz
}
sdist django-guardian 2.4.0
(cd django-guardian-2.4.0/example_project && PYTHONDONTWRITEBYTECODE=1 ../../python/bin/python manage.py migrate --verbosity 0 2> /dev/null)

# FastAPI: "Bigger Applications" of its tutorial, which comes with its source.
sdist fastapi 0.165.0
rm -rf sdists

# Rails: what its generator writes, with one resource, of Debian's gems.
rails new shop --minimal --skip-bundle --skip-sprockets --skip-listen --skip-git --quiet
(
	cd shop
	export BUNDLE_USER_HOME=$apps/bundle
	bundle install --local --quiet
	bin/rails generate scaffold post title:string body:text --quiet
	RAILS_ENV=production bin/rails db:migrate > /dev/null
)

# Express: what its generator writes.
npm exec --yes --silent --omit-lockfile-registry-resolved=true express-generator@4.16.1 -- --view=ejs express > /dev/null
(cd express && npm install --silent --no-fund --no-audit --omit-lockfile-registry-resolved=true)

# Go: httpbin, a module without others, and what building it compiles of Go itself.
module=github.com/mccutchen/go-httpbin/v2@v2.5.6
GOPATH=$apps/go GOFLAGS=-modcacherw go mod download "$module"
mv go/pkg/mod/"$module" go-httpbin
chmod -R u+w go
rm -rf go
(cd go-httpbin && GOCACHE=$apps/go-cache go build -o /dev/null ./cmd/go-httpbin)

# Last, so that what was interrupted is made anew.
cat "$here/fetch.sh" "$here/requirements.txt" > made-by
