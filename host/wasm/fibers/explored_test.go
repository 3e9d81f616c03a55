package fibers_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/scheduler"
)

// exploring are the imports of programs that are explored. The address 8 is for what is received, and the
// third word of a note is what a fiber has seen.
const exploring = library + `
	import "wasi_snapshot_preview1" "random_get" random (i32 i32) (i32)
	import "test" "note" note (i32 i64)
	data 72 "leaf"
	data 80 "first"
	data 88 "other"
	func leaf (i64) export end
	`

// acts are what the fibers of a random program do with a channel or a task, given by a number. What they see is
// noted: v is a word of 64 bits.
var acts = map[string]string{
	"send":     "$n i64.const 7 i64.const -1 call send i64.extend_i32_u $v",
	"trysend":  "$n i64.const 8 i64.const 2 call send i64.extend_i32_u $v",
	"recv":     "$n i32.const 8 i64.const -1 call recv i64.extend_i32_u $v i32.const 8 i64.load $v",
	"tryrecv":  "$n i32.const 8 i64.const 2 call recv i64.extend_i32_u $v",
	"close":    "$n call close i64.extend_i32_u $v",
	"chan":     "i32.const 1 call chan i64.extend_i32_u $v",
	"spawn":    "i32.const 72 i32.const 4 i64.const 0 call spawn i64.extend_i32_u $v",
	"join":     "$n i32.const 8 i64.const -1 call join i64.extend_i32_u $v",
	"random":   "i32.const 16 i32.const 8 call random drop i32.const 16 i64.load $v",
	"sleep":    "i64.const 2 call sleep",
	"yield":    "call yield",
	"trap":     "unreachable",
	"exit":     "i32.const 0 call exit",
	"nonsense": "i32.const 9 call close drop",
}

// programText is a random program: the main fiber makes a channel and spawns one or two others.
func programText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		words := slices.Sorted(maps.Keys(acts))
		pick := rapid.SampledFrom(rapid.SliceOfNDistinct(rapid.SampledFrom(words), 2, 4, rapid.ID[string]).Draw(t, "words"))
		body := func(fiber int) (text string) {
			for range rapid.IntRange(1, 2).Draw(t, "acts") {
				text += actText(fiber, pick.Draw(t, "do"), rapid.IntRange(1, 2).Draw(t, "n"))
			}
			return text
		}
		return programOf(rapid.IntRange(0, 1).Draw(t, "capacity"), rapid.Bool().Draw(t, "two"), body(0), body(1), body(2))
	})
}

func actText(fiber int, act string, n int) string {
	seen := fmt.Sprintf("local.set 1 i32.const %d local.get 1 call note", fiber)
	return strings.NewReplacer("$n", fmt.Sprintf("i32.const %d", n), "$v", seen).Replace(acts[act]) + "\n"
}

// programOf makes a channel of a capacity, spawns one or two fibers, and does what remains in the main one.
func programOf(capacity int, two bool, main, first, other string) string {
	text := "func first (i64) export locals i64\n" + first + "end\nfunc other (i64) export locals i64\n" + other + "end\n"
	text += fmt.Sprintf("func run () export locals i64 i64\ni32.const %d call chan drop\n", capacity)
	text += "i32.const 80 i32.const 5 i64.const 0 call spawn drop\n"
	if two {
		text += "i32.const 88 i32.const 5 i64.const 0 call spawn drop\n"
	}
	return text + main + "end\n"
}

// endings runs the schedules of a strategy, up to a number, and returns how the runs ended: their kinds and what
// each fiber has seen.
func endings(t require.TestingT, s explore.Strategy, p *fibers.Program, runs int) (ends map[string]int, r explore.Result) {
	ends = map[string]int{}
	var seen [3][]uint64
	note := wasm.Function{Name: "note", Params: []api.ValueType{api.ValueTypeI32, api.ValueTypeI64}, Do: func(c *wasm.Caller, stack []uint64) error {
		if c.Fiber.Runtime().Scheduler().Unwind().KillPending(c.Fiber.ID()) {
			return nil // after the end of the run
		}
		fiber := uint32(stack[0])
		seen[fiber] = append(seen[fiber], stack[1])
		return nil
	}}
	inner := explore.Guest(explore.Bounds{}, func(ctx context.Context, cfg scheduler.Config, _ io.Writer) error {
		seen = [3][]uint64{}
		c := fibers.Config{Program: p}
		c.Wasm.Runtime.Config = cfg
		h, err := fibers.New(c)
		require.NoError(t, err)
		defer h.Close()
		require.NoError(t, h.Runtime().Define("test", note))
		_, err = h.RunProgram(ctx)
		return err
	})
	all := func(d *explore.Decisions) (explore.Ending, error) {
		ending, err := inner(d)
		ends[fmt.Sprint(ending.Kind, seen)]++
		return explore.Ending{Kind: explore.Passed}, err
	}
	r, err := explore.Search(context.Background(), all, explore.Options{Strategy: s, Runs: runs})
	require.NoError(t, err)
	return ends, r
}

// compare runs all schedules of a program, with DPOR too, and returns how many there are.
func compare(t require.TestingT, text string) (dfs, dpor int, ends map[string]int) {
	p, err := fibers.Compile("p.wasm", asm.Assemble(exploring+text), wasm.Config{})
	require.NoError(t, err)
	defer p.Close()
	want, every := endings(t, explore.Depth(explore.Unbounded), p, 300)
	if every.Complete == "" {
		return 0, 0, want
	}
	got, some := endings(t, explore.DPOR(), p, every.Runs+1)
	require.NotEmpty(t, some.Complete, text)
	require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)), text)
	return every.Runs, some.Runs, want
}

// DPOR leaves out nothing: the numbers of channels and tasks, the random numbers and the end of the program
// are objects of the steps, as the channels are.
func TestDPORFindsTheEndingsOfAllSchedulesOfAProgram(t *testing.T) {
	compared, all, some := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		if dfs, dpor, _ := compare(t, programText().Draw(t, "program")); dfs > 0 {
			compared, all, some = compared+1, all+dfs, some+dpor
		}
	})
	t.Logf("%d programs, %d schedules, %d of them were enough", compared, all, some)
}

func TestTheNumbersOfChannelsAndTasksDependOnTheSchedule(t *testing.T) {
	for name, c := range map[string]struct {
		main, first, other string
		endings            int
	}{
		"two fibers that spawn":              {"", actText(1, "spawn", 0), actText(2, "spawn", 0), 2},
		"two fibers that make channels":      {"", actText(1, "chan", 0), actText(2, "chan", 0), 2},
		"two fibers that draw":               {"", actText(1, "random", 0), actText(2, "random", 0), 2},
		"a channel used before it is made":   {actText(0, "yield", 0) + actText(0, "chan", 0), actText(1, "close", 2), "", 2},
		"a channel that two may make":        {actText(0, "yield", 0) + actText(0, "chan", 0), actText(1, "close", 2), actText(2, "chan", 0), 4},
		"a channel used after it is made":    {actText(0, "chan", 0), actText(1, "close", 2), "", 2},
		"a task joined before it is made":    {actText(0, "yield", 0) + actText(0, "spawn", 0), actText(1, "join", 3), "", 2},
		"a program that ends, and a failure": {actText(0, "close", 1) + actText(0, "exit", 0), actText(1, "trap", 0), "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, ends := compare(t, programOf(1, true, c.main, c.first, c.other))
			require.Len(t, ends, c.endings, "%v", ends)
		})
	}
}
