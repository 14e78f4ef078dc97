// Is it up? At once, or after a wait in which nothing is computed.
package main

import (
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"
)

// What another service would take to answer.
const wait = 100 * time.Millisecond

func listen() (net.Listener, error) {
	if path := os.Getenv("SOCKET"); path != "" {
		return net.Listen("unix", path)
	}
	return net.Listen("tcp", net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT")))
}

func main() {
	http.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "ok")
	})
	http.HandleFunc("/health/wait", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(wait)
		io.WriteString(w, "ok")
	})
	listener, err := listen()
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, nil))
}
