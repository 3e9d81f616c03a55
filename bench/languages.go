package main

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/scheduler"
)

// compared is a row's work and its peer's. Both must produce the same result before they are
// timed.
func compared(r row, ours, theirs kernel) row {
	check := sync.OnceFunc(func() {
		const rounds = 3
		x, _ := ours(rounds)
		y, _ := theirs(rounds)
		if math.Abs(x-y) > 1e-9*math.Abs(y) { // a compiler may round once where the language lets it
			panic(fmt.Sprintf("bench: %s is %v, and %v by %s", r.work, x, y, r.peer))
		}
	})
	timed := func(k kernel) func(int) time.Duration {
		return func(rounds int) time.Duration {
			check()
			_, took := k(rounds)
			return took
		}
	}
	r.ours, r.theirs = timed(ours), timed(theirs)
	return r
}

// program is a function of package workload, and how often a sample runs it.
type program struct {
	name, work string
	rounds     int
}

// languageRows compare minigo's interpreter with others, with a compiler for wasm and with
// compiled Go, and its machine code with all three.
func languageRows() []row {
	var rows []row
	for i, p := range []program{
		{"Fib", "fib(20)", 8},
		{"NBody", "n-body, a step", 2000},
		{"Spectral", "spectral norm", 8},
		{"Mandelbrot", "mandelbrot", 8},
	} {
		id, interpreted := fmt.Sprintf("M%02d", i+1), workOnMinigo(p.name, minigo.Config{JIT: minigo.JITOff})
		rows = append(rows,
			p.against(id, "interpreted", interpreted, "gopher-lua", workOnGopherLua(p.name), 3),
			p.against(id, "interpreted", interpreted, "goja", workOnGoja(p.name), 0),
			p.against(id, "interpreted", interpreted, "wazero", workOnWazero(p.name), 0),
			p.against(id, "interpreted", interpreted, "the same, compiled Go", workNatively(p.name), 0))
	}
	rows = append(rows, machineCodeRows()...)
	return append(rows, goroutineRows()...)
}

// against is a row of ours and a peer's way to run the program.
func (p program) against(id, how string, ours kernel, peer string, theirs kernel, goal float64) row {
	return compared(row{id: id, work: "minigo " + how + " " + p.work, peer: peer, goal: goal, n: p.rounds, most: 7}, ours, theirs)
}

// machineCodeRows compare JIT code with the interpreter, in loops of integers and of floats and
// in calls, and measure a side exit to the machine and back.
func machineCodeRows() []row {
	if runtime.GOARCH != "amd64" {
		return nil
	}
	var rows []row
	for _, p := range []struct {
		program
		goal   float64
		onWasm bool
	}{
		{program{"Collatz", "Collatz chains", 200}, 8, false},
		{program{"Eratosthenes", "primes in an array", 120}, 8, false},
		{program{"Mandelbrot", "mandelbrot", 80}, 8, true},
		{program{"NBody", "n-body, a step", 20_000}, 8, true},
		{program{"Spectral", "spectral norm", 40}, 8, true},
		{program{"Fib", "fib(20)", 60}, 0, true},
	} {
		compiled := workOnMinigo(p.name, minigo.Config{})
		rows = append(rows, p.against("M06", "JIT", compiled, "its interpreter", workOnMinigo(p.name, minigo.Config{JIT: minigo.JITOff}), p.goal),
			p.against("M06", "JIT", compiled, "the same, compiled Go", workNatively(p.name), 0))
		if p.onWasm {
			rows = append(rows, p.against("M06", "JIT", compiled, "wazero", workOnWazero(p.name), 0))
		}
	}
	leave := workOnMinigo("Leave", minigo.Config{})
	return append(rows, row{id: "M07", work: "minigo JIT, exit and re-enter", peer: "iter.Pull there and back", goal: 0.4, atMost: true, n: 200_000,
		ours: func(n int) time.Duration { _, took := leave(n); return took }, theirs: pull})
}

// goroutineRows run programs that consist of goroutines, on minigo and compiled.
func goroutineRows() []row {
	var rows []row
	for _, p := range []struct {
		program
		whole bool
	}{
		{program{"PingPong", "ping-pong, one way", 50_000}, false},
		{program{"Ring", "ring of 503, a hop", 50_000}, false},
		{program{"Sieve", "prime sieve, a number", 1000}, true},
		{program{"Skynet", "skynet, a leaf", 10_000}, true},
	} {
		ours := workOnMinigo(p.name, minigo.Config{Scheduler: scheduler.Config{MaxFibers: million}})
		r := p.against("M05", "goroutines:", ours, "the same, compiled Go", workNatively(p.name), 0)
		r.whole = p.whole
		rows = append(rows, r)
	}
	return rows
}
