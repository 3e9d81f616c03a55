package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/sandbox"
)

// The programs of P25 are Go source: they repeat the row's operation os.Args[1] times. turns is
// gosched, and passes is baton(2).
const (
	turns = `package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	goroutines, _ := strconv.Atoi(os.Args[2])
	done, each := make(chan bool), n/goroutines
	for range goroutines {
		go func() {
			for range each {
				runtime.Gosched()
			}
			done <- true
		}()
	}
	for range goroutines {
		<-done
	}
	fmt.Println("turned")
}
`
	passes = `package main

import (
	"fmt"
	"os"
	"strconv"
)

func pass(in, out chan int) {
	for ball := range in {
		out <- ball + 1
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	there, back := make(chan int), make(chan int)
	go pass(there, back)
	there <- 0
	for ball := range back {
		if ball >= n {
			close(there)
			break
		}
		there <- ball + 1
	}
	fmt.Println("passed")
}
`
	parks = `package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	gate := make(chan bool)
	for range n {
		go func() { <-gate }()
	}
	runtime.Gosched()
	fmt.Println("parked")
	close(gate)
}
`
)

// goProgram runs the program on fibers, and calls heard when the program prints its line.
func goProgram(text string, n int, heard func(), args ...string) time.Duration {
	return goProgramWith(minigo.Config{}, nil, text, n, heard, args...)
}

// goProgramWith is goProgram with more in the configuration, and with a Recorder unless it is nil.
func goProgramWith(cfg minigo.Config, r *recorder.Recorder, text string, n int, heard func(), args ...string) time.Duration {
	p := mustGet(minigo.Compile(minigo.File{Name: "bench.go", Text: []byte(text)}))
	said := ear{heard: heard}
	cfg.Scheduler.MaxFibers = 2 * million
	cfg.Access, cfg.Args = sandbox.Access{Stdout: &said}, append([]string{"bench", strconv.Itoa(n)}, args...)
	if r != nil {
		r.Configure(&cfg.Scheduler)
	}
	h := mustGet(minigo.New(p, cfg))
	if r != nil {
		r.Attach(h.Scheduler())
	}
	start := time.Now()
	must(h.Run(context.Background()))
	took := time.Since(start)
	if said.lines != 1 {
		panic(fmt.Sprintf("bench: the program printed %d lines", said.lines))
	}
	return took
}

// ear is an output that counts lines.
type ear struct {
	heard func()
	lines int
}

// Write is a line.
func (e *ear) Write(p []byte) (int, error) {
	e.lines++
	e.heard()
	return len(p), nil
}

// guestTurns is P25: a goroutine of a Go program calls Gosched n times, on fibers.
func guestTurns(goroutines int) func(int) time.Duration {
	return func(n int) time.Duration { return goProgram(turns, n, func() {}, strconv.Itoa(goroutines)) }
}

// guestPasses is P25: n values are sent from one goroutine of a Go program to another and
// back, on fibers.
func guestPasses(n int) time.Duration { return goProgram(passes, n, func() {}) }

// guestMegabytes is the growth of this process's memory while n goroutines of a Go program wait.
func guestMegabytes(n int) time.Duration {
	before, used := inUse(), uint64(0)
	goProgram(parks, n, func() { used = inUse() - before })
	return time.Duration(used >> 20)
}

func minigoRows() []row {
	return []row{
		{id: "P25", work: "minigo switch, 8 goroutines", peer: "Gosched", goal: 3, n: 400_000,
			ours: guestTurns(8), theirs: gosched(8)},
		{id: "P25", work: "minigo switch, 1000 goroutines", peer: "Gosched", goal: 3, n: 400_000,
			ours: guestTurns(1000), theirs: gosched(1000)},
		{id: "P25", work: "minigo ping-pong, one way", peer: "goroutines", goal: 3, n: 200_000,
			ours: guestPasses, theirs: baton(2)},
		{id: "P25", work: "minigo, 1M parked goroutines, MB", peer: "limit", goal: 1, atMost: true, n: million, whole: true, most: 1, figure: true,
			ours: alone("megabytes of minigo"), theirs: stated(1024)},
	}
}
