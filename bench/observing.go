package main

import (
	"time"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/profile"
	"github.com/selvage-dev/selvage/recorder"
)

// observingRows compare a program that is observed with the same program that is not.
func observingRows() []row {
	rows := []row{
		{id: "O01", work: "minigo ping-pong, recorded", peer: "not recorded", goal: 1.05, atMost: true, n: 16_000_000, whole: true, most: 5,
			ours: guestPassesRecorded, theirs: guestPasses},
		{id: "O01", work: "HTTP echo by a Go fiber, recorded, CPU", peer: "not recorded", goal: 1.05, atMost: true, n: 60_000,
			ours:   func(n int) time.Duration { return serving(onGoFibers(recorder.New(recorder.Config{})))(n) },
			theirs: serving(onGoFibers(nil))},
		{id: "O02", work: "next+yield, 1000 fibers, metrics always read", peer: "no metrics", n: 20_000_000,
			ours: scraped(1000), theirs: nextYield(1000)},
		{id: "O03", work: "minigo fib, profiled", peer: "interpreted", goal: 1.05, atMost: true, n: 27,
			whole: true, ours: guestFib(true), theirs: guestFib(false)},
		{id: "O04", work: "next+yield, 100,000 others wait, page open", peer: "no page", goal: 1.05, atMost: true, n: 200_000_000,
			whole: true, ours: beside(100_000, pageOpen), theirs: beside(100_000, nil)},
		{id: "O04", work: "next+yield, 100,000 others, list always read", peer: "no page", n: 20_000_000,
			ours: beside(100_000, listRead), theirs: beside(100_000, nil)},
	}
	for _, program := range []string{"fannkuch", "nbody", "strings"} {
		rows = append(rows,
			row{id: "O01", work: "Lua " + program + ", recorded", peer: "not recorded", goal: 1.05, atMost: true, n: 8,
				ours: luaRecorded(program), theirs: onFiber(program)},
			row{id: "O03", work: "Lua " + program + ", profiled", peer: "not profiled", goal: 1.05, atMost: true, n: 8,
				ours: luaProfiled(program), theirs: onFiber(program)})
	}
	return rows
}

func guestPassesRecorded(n int) time.Duration {
	return goProgramWith(minigo.Config{}, recorder.New(recorder.Config{}), passes, n, func() {})
}

// luaRecorded records as selvage run does for Lua: each slice has instants of its own.
func luaRecorded(program string) func(int) time.Duration {
	return func(n int) time.Duration {
		return luaProgram(fibers.Config{}, recorder.New(recorder.Config{Exact: true}), program, n)
	}
}

func luaProfiled(program string) func(int) time.Duration {
	return func(n int) time.Duration {
		p := profile.Start(profile.Config{})
		defer p.Stop()
		return luaProgram(fibers.Config{Lua: lua.Config{Profile: p}}, nil, program, n)
	}
}

// fib computes a number of Fibonacci in the slowest way.
const fib = `package main

import (
	"fmt"
	"os"
	"strconv"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(fib(n))
}
`

func guestFib(profiled bool) func(int) time.Duration {
	return func(n int) time.Duration {
		cfg := minigo.Config{JIT: minigo.JITOff}
		if profiled {
			cfg.Profile = profile.Start(profile.Config{})
			defer cfg.Profile.Stop()
		}
		return goProgramWith(cfg, nil, fib, n, func() {})
	}
}
