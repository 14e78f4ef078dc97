# What Express' generator writes.
npm exec --yes --silent --omit-lockfile-registry-resolved=true express-generator@4.16.1 -- --view=ejs express
cd express
npm install --silent --no-fund --no-audit --omit-lockfile-registry-resolved=true
