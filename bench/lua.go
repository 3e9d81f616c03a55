package main

import (
	"context"
	"embed"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/recorder"
)

// Lua programs get the number of operations as their argument.
//
//go:embed lua/*.lua
var programs embed.FS

// onFiber runs a program as a fiber, pre-empted after every slice of the default length.
func onFiber(program string) func(int) time.Duration { return withQuotas(program, quota.Limits{}) }

// everyQuota are limits that the programs do not reach.
func everyQuota() quota.Limits {
	return quota.Limits{Steps: 1e15, Memory: 64 << 20, Fibers: 1000, Timers: 1000, Operations: 1000, Output: 1 << 30, Time: time.Hour}
}

func withQuotas(program string, limits quota.Limits) func(int) time.Duration {
	return func(n int) time.Duration { return luaProgram(fibers.Config{Quota: limits}, nil, program, n) }
}

// luaProgram runs a program as a fiber, with a Recorder unless it is nil.
func luaProgram(cfg fibers.Config, r *recorder.Recorder, program string, n int) time.Duration {
	if r != nil {
		r.Configure(&cfg.Runtime.Config)
	}
	host := fibers.New(cfg)
	defer host.Close()
	if r != nil {
		r.Attach(&host.Runtime().Scheduler().Core)
	}
	source := strings.NewReader(source(program))
	start := time.Now()
	mustGet(host.Run(context.Background(), source, program, strconv.Itoa(n)))
	return time.Since(start)
}

// onGopherLua is the peer: the same program on plain gopher-lua.
func onGopherLua(program string) func(int) time.Duration {
	return func(n int) time.Duration {
		L := glua.NewState()
		defer L.Close()
		source := strings.NewReader(source(program))
		start := time.Now()
		fn := mustGet(L.Load(source, program))
		L.Push(fn)
		L.Push(glua.LString(strconv.Itoa(n)))
		L.Call(1, 0)
		return time.Since(start)
	}
}

func source(program string) string {
	text := mustGet(programs.ReadFile("lua/" + program + ".lua"))
	return string(text)
}

// luaRows compare Lua on fibers with plain gopher-lua: the cost of preemption for CPU-bound
// programs, and a switch of fibers beside a switch of coroutines.
func luaRows() []row {
	rows := []row{
		{id: "P22", work: "Lua fiber.yield, 8 fibers", peer: "gopher-lua resume+yield", goal: 1.2, atMost: true, n: 80_000,
			ours: onFiber("yield"), theirs: onGopherLua("resume")},
		{id: "P22", work: "Lua resume+yield in a fiber", peer: "gopher-lua resume+yield", goal: 1.2, atMost: true, n: 80_000,
			ours: onFiber("resume"), theirs: onGopherLua("resume")},
	}
	for _, program := range []string{"fannkuch", "nbody", "strings"} {
		rows = append(rows, row{id: "P23", work: "Lua " + program, peer: "bare gopher-lua", goal: 1.1, atMost: true, n: 8,
			ours: onFiber(program), theirs: onGopherLua(program)})
		rows = append(rows, row{id: "G02", work: "Lua " + program + ", all quotas", peer: "bare gopher-lua", goal: 1.15, atMost: true, n: 8,
			ours: withQuotas(program, everyQuota()), theirs: onGopherLua(program)})
	}
	rows = append(rows, row{id: "G06", work: "Lua calls a Go function made by bind.New", peer: "written for gopher-lua by hand", goal: 3, atMost: true, n: 200_000,
		ours: boundCalls, theirs: writtenCalls})
	return append(rows,
		row{id: "G01", work: "Lua, a fresh guest runs a compiled program", peer: "bare gopher-lua", goal: 2, atMost: true, n: 200,
			ours: freshGuests, theirs: freshStates},
		row{id: "G01", work: "Lua, a fresh guest runs a compiled program", peer: "goja, in JavaScript", n: 200,
			ours: freshGuests, theirs: freshRuntimes})
}

// oneLine is the program of a guest that does next to nothing.
const oneLine = "local x = 1 + 1 return x"

// freshGuests makes a host for each run of a program that is compiled once.
func freshGuests(n int) time.Duration {
	program := mustGet(fibers.Compile(strings.NewReader(oneLine), "guest.lua"))
	start := time.Now()
	for range n {
		host := fibers.New(fibers.Config{})
		mustGet(host.Call(context.Background(), program))
		host.Close()
	}
	return time.Since(start)
}

// freshStates is freshGuests with states of plain gopher-lua, which have fewer libraries.
func freshStates(n int) time.Duration {
	chunk := mustGet(parse.Parse(strings.NewReader(oneLine), "guest.lua"))
	program := mustGet(glua.Compile(chunk, "guest.lua"))
	start := time.Now()
	for range n {
		L := glua.NewState()
		L.Push(L.NewFunctionFromProto(program))
		L.Call(0, 1)
		L.Close()
	}
	return time.Since(start)
}

// freshRuntimes is freshGuests with runtimes of goja.
func freshRuntimes(n int) time.Duration {
	program := mustGet(goja.Compile("guest.js", "(() => { const x = 1 + 1; return x })()", true))
	start := time.Now()
	for range n {
		mustGet(goja.New().RunProgram(program))
	}
	return time.Since(start)
}

// boundCalls call a Go function that takes a string and an int and returns an int.
func boundCalls(n int) time.Duration {
	return callsOnHost(n, func(h *fibers.Host) {
		must(h.Bind("pad", bind.Must(bind.New(func(s string, n int) int { return len(s) + n }))))
	})
}

// writtenCalls is boundCalls with the conversions written by hand.
func writtenCalls(n int) time.Duration {
	return callsOnHost(n, func(h *fibers.Host) {
		L := h.State().Base()
		L.SetGlobal("pad", L.NewFunction(func(L *glua.LState) int {
			L.Push(glua.LNumber(len(L.CheckString(1)) + L.CheckInt(2)))
			return 1
		}))
	})
}

func callsOnHost(n int, add func(*fibers.Host)) time.Duration {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	add(host)
	program := strings.NewReader(source("calls"))
	start := time.Now()
	mustGet(host.Run(context.Background(), program, "calls", strconv.Itoa(n)))
	return time.Since(start)
}
