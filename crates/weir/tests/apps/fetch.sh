#!/usr/bin/env bash
# Apps that weir's authors did not write, as their registries have them, into the folder $1: one file beside this one for
# each. They are what tests/foreign_apps.rs serves; everything is pinned, and nothing of it is committed.
# Says which app could not be fetched, why, and what to do about it, and ends with 1 then.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# The source of a package on PyPI.
sdist() {
	python/bin/python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --dest "sdist-$1" "$1==$2"
	tar -xzf "sdist-$1/$1-$2".tar.gz
	rm -rf "sdist-$1"
}

# One app, in a shell of its own, whose first failure ends it.
if [ "${1-}" = --one ]; then
	apps=$PWD
	. "$here/$2.sh"
	exit
fi

rm -rf "$1"
mkdir -p "$1"
cd "$1"
missed=()
for app in python django fastapi rails express go; do
	if ! "$here/fetch.sh" --one "$app" > "$app.log" 2>&1; then
		missed+=("$app")
		why=$(grep -iE 'error|could not|cannot|no such|not found' "$app.log" | tail -n 1)
		echo "error: the app of \`$app.sh\` could not be fetched: ${why:-it said nothing of why}" >&2
		grep . "$app.log" | tail -n 15 | sed 's/^/    /' >&2
	fi
done
if [ ${#missed[@]} != 0 ]; then
	echo "hint: see ${missed[*]/%/.log} in $1; with ${missed[*]/%/.sh} in $here mended, run \`make foreign-apps\` again" >&2
	exit 1
fi
# Last, so that what was interrupted is made anew.
cat "$here"/*.sh "$here/requirements.txt" > made-by
