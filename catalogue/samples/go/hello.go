package main

import (
	"io"
	"log"
	"net"
	"net/http"
	"os"
)

func listen() (net.Listener, error) {
	if path := os.Getenv("SOCKET"); path != "" {
		return net.Listen("unix", path)
	}
	return net.Listen("tcp", net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT")))
}

func hello(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	io.WriteString(w, "Hello from Go\n")
}

func main() {
	listener, err := listen()
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, http.HandlerFunc(hello)))
}
