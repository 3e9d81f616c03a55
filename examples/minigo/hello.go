//go:build ignore

// The smallest program with a goroutine: it says hello, and main waits for it.
package main

import "fmt"

func main() {
	done := make(chan bool)
	go func() {
		fmt.Println("hello from a goroutine")
		close(done)
	}()
	<-done
	fmt.Println("hello from main")
}
