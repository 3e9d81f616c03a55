//go:build ignore

// Two goroutines take two locks in different orders; the runtime reports which waits where.
package main

import "sync"

func main() {
	var a, b sync.Mutex
	turn := make(chan bool)
	go func() {
		b.Lock()
		turn <- true
		a.Lock()
	}()
	a.Lock()
	<-turn
	b.Lock()
}
