package minigo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Fibers that give way: in a call, in a function value, in a deferred call, as a goroutine of its
// own, in a loop that becomes machine code, and while a panic prints, where none can. The
// order is that of the queue, which Go does not promise.
const turns = `package main

import (
	"fmt"
	"runtime"
)

var log []string

func say(name string, turns int, afterTurn func()) {
	for i := range turns {
		log = append(log, fmt.Sprint(name, i))
		afterTurn()
	}
}

func leave(name string) {
	defer func() { log = append(log, name+" back") }()
	defer runtime.Gosched()
	log = append(log, name+" leaves")
}

func count(turns int, total *int, done chan bool) {
	for range turns {
		*total++
		runtime.Gosched()
	}
	done <- true
}

type shy struct{}

func (shy) Error() string {
	runtime.Gosched()
	return "never told"
}

func main() {
	go say("a", 3, runtime.Gosched)
	go say("b", 3, func() { runtime.Gosched() })
	go leave("c")
	go runtime.Gosched()
	for range 5 {
		runtime.Gosched()
	}
	fmt.Println(log)
	total, done := 0, make(chan bool)
	for range 40 {
		go count(500, &total, done)
	}
	for range 40 {
		<-done
	}
	fmt.Println(total)
	panic(shy{})
}
`

func TestWhoGivesWayGoesToTheEndOfTheQueue(t *testing.T) {
	for _, way := range ways() {
		way.Scheduler.Budget *= 10 // a slice must not end while a goroutine appends to the log
		out, err := run(t, "turns.go", []byte(turns), way)
		require.Equal(t, "[a0 b0 c leaves a1 b1 c back a2 b2]\n20000\n", out, "%+v", way)
		require.ErrorContains(t, err, "panic: (main.shy)")
	}
}
