// server http|h2c|h2 FOLDER [CERTIFICATE KEY]: serves a folder; says its port on the first line.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
)

func main() {
	how, folder := os.Args[1], os.Args[2]
	files := http.FileServer(http.Dir(folder))
	handler := http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		if request.Method == "POST" {
			length, _ := io.Copy(io.Discard, request.Body)
			fmt.Fprintf(answer, "%d\n", length)
			return
		}
		files.ServeHTTP(answer, request)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	protocols := new(http.Protocols)
	protocols.SetHTTP1(how == "http")
	protocols.SetUnencryptedHTTP2(how == "h2c")
	protocols.SetHTTP2(how == "h2")
	server := &http.Server{Handler: handler, Protocols: protocols}
	if how == "h2" {
		log.Fatal(server.ServeTLS(listener, os.Args[3], os.Args[4]))
	}
	log.Fatal(server.Serve(listener))
}
