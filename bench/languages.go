package main

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/scheduler"
)

// compared is a row's work and its peer's. Before anything is timed they must have come to
// the same result.
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

// languageRows compare minigo with other interpreters, with a compiler for wasm and with
// compiled Go; only the first has a goal.
func languageRows() []row {
	var rows []row
	for _, k := range []struct {
		id, name, work string
		rounds         int
	}{
		{"M01", "Fib", "minigo fib(20)", 8},
		{"M02", "NBody", "minigo n-body, a step", 2000},
		{"M03", "Spectral", "minigo spectral norm", 8},
		{"M04", "Mandelbrot", "minigo mandelbrot", 8},
	} {
		against := func(peer string, theirs kernel, goal float64) {
			rows = append(rows, compared(row{id: k.id, work: k.work, peer: peer, goal: goal, n: k.rounds, most: 7},
				workOnMinigo(k.name, minigo.Config{}), theirs))
		}
		against("gopher-lua", workOnGopherLua(k.name), 3)
		against("goja", workOnGoja(k.name), 0)
		against("wazero", workOnWazero(k.name), 0)
		against("the same, compiled Go", workNatively(k.name), 0)
	}
	return append(rows, goroutineRows()...)
}

// goroutineRows run programs that are made of goroutines under minigo, and compiled.
func goroutineRows() []row {
	var rows []row
	for _, k := range []struct {
		name, work string
		n          int
		whole      bool
	}{
		{"PingPong", "minigo ping-pong, one way", 50_000, false},
		{"Ring", "minigo ring of 503, a hop", 50_000, false},
		{"Sieve", "minigo prime sieve, a number", 1000, true},
		{"Skynet", "minigo skynet, a leaf", 10_000, true},
	} {
		rows = append(rows, compared(row{id: "M05", work: k.work, peer: "the same, compiled Go", n: k.n, whole: k.whole, most: 7},
			workOnMinigo(k.name, minigo.Config{Scheduler: scheduler.Config{MaxFibers: million}}), workNatively(k.name)))
	}
	return rows
}
