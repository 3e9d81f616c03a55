//go:build ignore

// Readers and writers: the first reader takes the room for all, and the last one leaves it. To come and to ask
// for the number of readers are two steps: of two readers both may take the room, or neither.
// Finding: deadlock
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
	l.mu.Unlock()
	if l.count() == 1 {
		l.room <- true
	}
	l.mu.Lock()
	l.readers--
	if l.readers == 0 {
		<-l.room
	}
	l.mu.Unlock()
}

func (l *library) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.readers
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
