package main

func main() {
	panic("broken on purpose")
}
