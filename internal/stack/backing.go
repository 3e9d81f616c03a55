package stack

import "iter"

// Backing says what a suspended stack is made of; see the package comment.
type Backing uint8

const (
	// Coroutine switches by iter.Pull: the thread is handed over directly, past the Go
	// scheduler.
	Coroutine Backing = iota
	// Goroutine switches by two channels. It is slower, but does not mind which thread
	// or which C frame it is resumed from.
	Goroutine
)

// String is the lower-case name.
func (b Backing) String() string {
	if b == Goroutine {
		return "goroutine"
	}
	return "coroutine"
}

// start makes a goroutine that runs main at the first enter.
func (b Backing) start(main func(leave func(struct{}) bool)) enter {
	if b == Goroutine {
		return startGoroutine(main)
	}
	next, _ := iter.Pull(main) // main always comes to its end: nothing to stop
	return next
}

func startGoroutine(main func(leave func(struct{}) bool)) enter {
	in, out := make(chan struct{}), make(chan struct{})
	go func() {
		defer func() {
			if r := recover(); r != nil && r != (workerDone{}) {
				panic(r)
			}
			out <- struct{}{}
		}()
		<-in
		main(func(struct{}) bool {
			out <- struct{}{}
			<-in
			return true
		})
	}()
	return func() (struct{}, bool) {
		in <- struct{}{}
		<-out
		return struct{}{}, true
	}
}
