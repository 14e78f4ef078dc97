# httpbin in Go, a module without others, and what building it compiles of Go itself.
module=github.com/mccutchen/go-httpbin/v2@v2.5.6
GOPATH=$apps/go GOFLAGS=-modcacherw go mod download "$module"
mv go/pkg/mod/"$module" go-httpbin
chmod -R u+w go
rm -rf go
cd go-httpbin
GOCACHE=$apps/go-cache go build -o /dev/null ./cmd/go-httpbin
