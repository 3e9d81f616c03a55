//go:build ignore

// The repaired readers and writers: to come, to count and to take the room are one critical section.
package main

import "sync"

type library struct {
	mu      sync.Mutex
	readers int
	room    chan bool
}

func (l *library) read() {
	l.mu.Lock()
	l.readers++
	if l.readers == 1 {
		l.room <- true
	}
	l.mu.Unlock()
	l.mu.Lock()
	l.readers--
	if l.readers == 0 {
		<-l.room
	}
	l.mu.Unlock()
}

func (l *library) write() {
	l.room <- true
	<-l.room
}

func main() {
	l := &library{room: make(chan bool, 1)}
	var wg sync.WaitGroup
	wg.Go(l.read)
	wg.Go(l.read)
	wg.Go(l.write)
	wg.Wait()
}
