package fibers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/wallclock"
)

// uses are the imports of a guest that uses up its quotas. At 0 is the address of a kilobyte.
const uses = `
	import "selvage" "spawn" spawn (i32 i32 i64) (i32)
	import "selvage" "sleep" sleep (i64)
	import "selvage" "yield" yield ()
	import "selvage" "chan" chan (i32) (i32)
	import "selvage" "send" send (i32 i64 i64) (i32)
	import "selvage" "recv" recv (i32 i32 i64) (i32)
	import "wasi_snapshot_preview1" "fd_write" fd_write (i32 i32 i32 i32) (i32)
	import "wasi_snapshot_preview1" "random_get" random_get (i32 i32) (i32)
	memory 1
	table 10
	data 0 "\x00\x01\x00\x00\x00\x04\x00\x00"
	data 64 "child"
	func busy (i32) loop local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0 end end
	func print () i32.const 1 i32.const 0 i32.const 1 i32.const 32 call fd_write drop end
	`

// spend runs a guest with quotas.
func spend(t *testing.T, limits quota.Limits, text string) (spent quota.Spent, out string, err error) {
	t.Helper()
	var written bytes.Buffer
	cfg := fibers.Config{Quota: limits, Access: sandbox.Access{Stdout: &written, Stderr: &written}}
	cfg.Wasm.Cache, cfg.Wasm.Runtime.Budget = cache, 100
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer func() {
		h.Close()
		left := h.Spent()
		require.Zero(t, left.Fibers, "fibers")
		require.Zero(t, left.Memory, "memory")
		require.Zero(t, left.Timers, "timers")
	}()
	_, err = h.Run(context.Background(), "p.wasm", asm.Assemble(uses+text))
	return h.Spent(), written.String(), err
}

// passes checks which quota was passed.
func passes(t *testing.T, err error, r quota.Resource, limit int64) {
	t.Helper()
	var passed *quota.Error
	require.ErrorAs(t, err, &passed)
	require.Equal(t, r, passed.Resource)
	require.Equal(t, limit, passed.Limit)
}

const unlimited = 1 << 50

// children is a guest with three fibers, each of which is busy, waits and is busy again.
const children = `func child (i64) export
		i32.const 50 call busy call yield i32.const 70 call busy
		i64.const 5 call sleep i32.const 9 call busy
	end
	func run () export
		i32.const 64 i32.const 5 i64.const 0 call spawn drop
		i32.const 64 i32.const 5 i64.const 0 call spawn drop
		i32.const 64 i32.const 5 i64.const 0 call spawn drop
		call print
		i32.const 3000 call busy
		i32.const 1024 i32.const 32768 call random_get drop
		i32.const 0 i32.const 1024 i32.const 1000 memory.copy
		i64.const 10 call sleep
	end`

// A program passes with exactly the steps that it needs, and with no fewer, whichever fiber executes
// them.
func TestAQuotaOfStepsIsPassedAtExactlyThatNumber(t *testing.T) {
	spent, _, err := spend(t, quota.Limits{Steps: unlimited}, children)
	require.NoError(t, err)
	n := spent.Steps
	require.Greater(t, n, int64(3000*6+3*129*6+32768/256+1024/256))
	again, _, err := spend(t, quota.Limits{Steps: n}, children)
	require.NoError(t, err)
	require.Equal(t, n, again.Steps)
	for _, less := range []int64{1, 2, 7, 100, 101, n / 2, n - 1} {
		spent, _, err := spend(t, quota.Limits{Steps: n - less}, children)
		passes(t, err, quota.Steps, n-less)
		require.Equal(t, n-less, spent.Steps)
	}
}

// What was executed is counted by the code itself, in turns of a loop that cost eleven steps, and not by what
// the Host says: by fibers that each use a part of a slice and wait, and by one that does not wait.
func TestNoFiberExecutesMoreThanIsLeft(t *testing.T) {
	const counts = `import "test" "keep" keep ()
		global turns i64 0
		func count (i32) loop global.get turns i64.const 1 i64.add global.set turns local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0 end end`
	for name, text := range map[string]string{
		"in a slice": "func child (i64) export end func run () export call keep i32.const 1000000 call count end",
		"in parts of a slice": `func child (i64) export call keep i32.const 40 call count i64.const 1000 call sleep end
			func run () export loop i32.const 64 i32.const 5 i64.const 0 call spawn drop call yield br 0 end end`,
	} {
		const limit = 2000
		var modules []api.Module
		h, err := fibers.New(fibers.Config{Quota: quota.Limits{Steps: limit}})
		require.NoError(t, err)
		require.NoError(t, h.Runtime().Define("test", wasm.Function{Name: "keep", Do: func(c *wasm.Caller, _ []uint64) error {
			modules = append(modules, c.Module)
			return nil
		}}))
		_, err = h.Run(t.Context(), "p.wasm", asm.Assemble(counts+uses+text))
		passes(t, err, quota.Steps, limit)
		executed := uint64(0)
		for _, m := range modules {
			executed += 11 * m.ExportedGlobal("turns").Get()
		}
		require.Greater(t, executed, uint64(limit/2), name)
		require.LessOrEqual(t, executed, uint64(limit), name)
		h.Close()
	}
}

// The program is ended however it executes its steps: also in a start function, and in one instruction.
func TestStepsOfEveryKindCount(t *testing.T) {
	for name, text := range map[string]string{
		"a loop":           "func run () export loop br 0 end end",
		"recursion":        "func f () export call f end func run () export call f end",
		"a start function": "func f () loop br 0 end end start f func run () export end",
		"memory.fill":      "func run () export loop i32.const 0 i32.const 0 i32.const 65536 memory.fill br 0 end end",
		"random numbers":   "func run () export loop i32.const 0 i32.const 65536 call random_get drop br 0 end end",
		"output":           "func run () export loop call print br 0 end end",
		"yields":           "func run () export loop call yield br 0 end end",
	} {
		spent, _, err := spend(t, quota.Limits{Steps: 20_000}, text)
		passes(t, err, quota.Steps, 20_000)
		require.EqualValues(t, 20_000, spent.Steps, name)
	}
}

func TestAQuotaOfOutputIsPassedAtExactlyThatByte(t *testing.T) {
	const text = "func run () export call print call print call print end"
	_, out, err := spend(t, quota.Limits{Output: 3 * 1024}, text)
	require.NoError(t, err)
	require.Len(t, out, 3*1024)
	for _, limit := range []int64{1, 1023, 1024, 1025, 3*1024 - 1} {
		spent, out, err := spend(t, quota.Limits{Output: limit}, text)
		passes(t, err, quota.Output, limit)
		require.Len(t, out, int(limit))
		require.Equal(t, limit, spent.Output)
	}
}

const page = 1 << 16

// A program that grows, in pages; it traps if it cannot.
const grows = `func run () export
		i32.const %d memory.grow i32.const -1 i32.eq if unreachable end
		ref.null i32.const %d table.grow i32.const -1 i32.eq if unreachable end
	end`

func TestTheMemoryOfAllInstancesCounts(t *testing.T) {
	spent, _, err := spend(t, quota.Limits{Memory: unlimited}, "func run () export end")
	require.NoError(t, err)
	require.Zero(t, spent.Memory, "it is given back")
	for _, c := range []struct{ pages, entries, most int64 }{{0, 0, 10 * page}, {9, 100, 20 * page}, {100, 0, 120 * page}} {
		text := fmt.Sprintf(grows, c.pages, c.entries)
		_, _, err := spend(t, quota.Limits{Memory: c.most + 8_000_000}, text)
		require.NoError(t, err)
		limit := max(c.pages, 1) * page
		_, _, err = spend(t, quota.Limits{Memory: limit}, text)
		passes(t, err, quota.Memory, limit)
	}
}

// Channels and tasks are kept until the end, and values until they are received.
func TestChannelsValuesAndTasksCount(t *testing.T) {
	for _, text := range map[string]string{
		"channels": "func run () export loop i32.const 0 call chan drop br 0 end end",
		"values":   "func run () export i32.const 1000000 call chan drop loop i32.const 1 i64.const 1 i64.const -1 call send drop br 0 end end",
		"tasks":    "func child (i64) export end func run () export loop i32.const 64 i32.const 5 i64.const 0 call spawn drop call yield br 0 end end",
	} {
		_, _, err := spend(t, quota.Limits{Memory: 10 * page}, text)
		passes(t, err, quota.Memory, 10*page)
	}
	const passed = `func run () export locals i32 i32.const 100000 local.set 0 i32.const 10 call chan drop
		loop
			i32.const 1 i64.const 1 i64.const -1 call send drop i32.const 1 i32.const 8 i64.const -1 call recv drop
			local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0
		end
	end`
	_, _, err := spend(t, quota.Limits{Memory: 3 * page}, passed)
	require.NoError(t, err)
}

// One that holds only garbage instances passes: what has ended is given back.
func TestMemoryThatIsGivenBackCanBeTakenAgain(t *testing.T) {
	const text = `func child (i64) export i32.const 10 memory.grow drop end
		func run () export locals i32 i32.const 200 local.set 0
			loop
				i32.const 64 i32.const 5 i64.const 0 call spawn drop i64.const 1 call sleep
				local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0
			end
		end`
	_, _, err := spend(t, quota.Limits{Memory: 16 * page}, text)
	require.NoError(t, err)
	_, _, err = spend(t, quota.Limits{Memory: 11 * page}, text)
	passes(t, err, quota.Memory, 11*page)
}

func TestFibersTimersAndTimeAreLimited(t *testing.T) {
	const many = `func child (i64) export i64.const 1000000000 call sleep end
		func run () export loop i32.const 64 i32.const 5 i64.const 0 call spawn drop call yield br 0 end end`
	_, _, err := spend(t, quota.Limits{Fibers: 5}, many)
	passes(t, err, quota.Fibers, 5)
	_, _, err = spend(t, quota.Limits{Timers: 3}, many)
	passes(t, err, quota.Timers, 3)
	_, _, err = spend(t, quota.Limits{Time: time.Second}, "func run () export i64.const 1000000001 call sleep end")
	passes(t, err, quota.Time, int64(time.Second))
}

// Real time ends a program that is busy too.
func TestTimeEndsAProgramThatNeverWaits(t *testing.T) {
	cfg := fibers.Config{Quota: quota.Limits{Time: 10 * time.Millisecond}}
	cfg.Wasm.Runtime.Clock = wallclock.New()
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	_, err = h.Run(t.Context(), "p.wasm", asm.Assemble("func run () export loop br 0 end end"))
	passes(t, err, quota.Time, int64(10*time.Millisecond))
}

// The guest gets no error that it could handle: memory.grow does not return, and the call that passes
// a quota does not either.
func TestAGuestThatHasPassedAQuotaExecutesNothingMore(t *testing.T) {
	for name, limits := range map[string]quota.Limits{"grow": {Memory: 3 * page}, "write": {Output: 1}, "spawn": {Fibers: 1}} {
		text := map[string]string{
			"grow":  "i32.const 3 memory.grow drop",
			"write": "call print",
			"spawn": "i32.const 64 i32.const 5 i64.const 0 call spawn drop",
		}[name]
		called := false
		h, err := fibers.New(fibers.Config{Quota: limits})
		require.NoError(t, err)
		require.NoError(t, h.Runtime().Define("test", wasmFunction("after", func() { called = true })))
		_, err = h.Run(t.Context(), "p.wasm", asm.Assemble(`import "test" "after" after ()`+uses+"func child (i64) export end func run () export "+text+" call after end"))
		require.True(t, errors.As(err, new(*quota.Error)), "%s: %v", name, err)
		require.False(t, called, name)
		h.Close()
	}
}

func wasmFunction(name string, do func()) wasm.Function {
	return wasm.Function{Name: name, Do: func(*wasm.Caller, []uint64) error { do(); return nil }}
}
