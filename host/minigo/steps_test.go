package minigo_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// stepsOfAll are those of all goroutines together, each of which counts its own.
func stepsOfAll(t require.TestingT, h *minigo.Host) (sum int64) {
	for _, f := range h.Scheduler().Inspect().Snapshot(scheduler.Snapshot{}).Fibers {
		if id, regular := f.ID.Regular(); regular {
			steps, counted := h.Steps(id)
			require.True(t, counted)
			sum += int64(steps)
		}
	}
	return sum
}

// staying is a program of random loops whose goroutines never end, and which calls probe.Look now and then.
func staying(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"host/probe\"\n\t\"runtime\"\n\t\"strings\"\n\t\"time\"\n)\n\nfunc main() {\n\tnever, c := make(chan int), make(chan int, 2)\n")
	b.WriteString("\tprobe.Look()\n\truntime.Gosched()\n\ttime.Sleep(1)\n")
	for i := range rapid.IntRange(1, 6).Draw(t, "goroutines") {
		n := rapid.IntRange(0, 60).Draw(t, "turns")
		body := rapid.SampledFrom([]string{
			"x++", "s += strings.Repeat(\"ab\", x%50)", "runtime.Gosched()", "time.Sleep(1)", "probe.Look()", "m[x] = s",
			"select { case c <- x: case x = <-c: }", "func() { defer func() { recover() }(); panic(x) }()", "l = append(l, l...); l = append(l[:len(l)/3], x)",
		}).Draw(t, "body")
		fmt.Fprintf(&b, "\tgo func() {\n\t\tx, s, m, l := %d, \"\", map[int]string{}, []int{}\n\t\tfor i := 0; i < %d; i++ { %s }\n\t\t_, _, _, _ = x, s, m, l\n\t\t<-never\n\t}()\n", i, n, body)
		if rapid.Bool().Draw(t, "gives way") {
			b.WriteString("\truntime.Gosched()\n\tprobe.Look()\n")
		}
	}
	return b.String() + "\t_ = strings.Repeat(\"\", 0)\n\tc <- <-never\n}\n"
}

func TestTheStepsOfAllGoroutinesAreThoseOfTheAccount(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := staying(r)
		cfg := rapid.SampledFrom(ways()).Draw(r, "way")
		if rapid.Bool().Draw(r, "quota") {
			cfg.Quota = quota.Limits{Steps: 1_000_000}
		}
		var h *minigo.Host
		looks := 0
		look := func() {
			looks++
			before := stepsOfAll(r, h)
			require.Equal(r, h.Spent().Steps, before, "the slice under way counts too\n%s", text)
			require.Equal(r, before, stepsOfAll(r, h))
		}
		library := minigo.Library{}
		require.NoError(r, library.Bind("host/probe.Look", bind.Must(bind.New(look))))
		program, err := library.Compile(minigo.File{Name: "p.go", Text: []byte(text)})
		require.NoError(r, err, text)
		cfg.CountSteps = true
		h, err = minigo.New(program, cfg)
		require.NoError(r, err)
		var deadlock *minigo.DeadlockError
		require.ErrorAs(r, h.Run(t.Context()), &deadlock, text)
		look()
		require.Greater(r, looks, 1)
		require.Positive(r, stepsOfAll(r, h))
	})
}

// While a call lasts its goroutines live, and only they take steps, also if the call has quotas of its own.
func TestTheStepsOfACallAreThoseOfTheAccount(t *testing.T) {
	const text = `package main

import (
	"host/probe"
	"runtime"
)

func Work(n int) int {
	never, c := make(chan int), make(chan int)
	probe.Look()
	for range 2 {
		go func() { for i := range n { runtime.Gosched(); probe.Look(); c <- i }; <-never }()
	}
	sum := 0
	for range 2 * n { sum += <-c }
	probe.Look()
	return sum
}
func main() {}
`
	for _, way := range ways() {
		var h *minigo.Host
		var others []int64 // the steps of those that have ended
		library := minigo.Library{}
		look := func() { others = append(others, h.Spent().Steps-stepsOfAll(t, h)) }
		require.NoError(t, library.Bind("host/probe.Look", bind.Must(bind.New(look))))
		program, err := library.Compile(minigo.File{Name: "p.go", Text: []byte(text)})
		require.NoError(t, err)
		way.CountSteps = true
		h, err = minigo.New(program, way)
		require.NoError(t, err)
		for _, function := range []any{"Work", "Work", minigo.Limited{Func: "Work", Quota: steps(100_000)}, "Work"} {
			others = nil
			_, err := h.Call(t.Context(), function, 20)
			require.NoError(t, err)
			require.Len(t, others, 42)
			require.Equal(t, slices.Repeat(others[:1], 42), others)
		}
		h.Close()
	}
}

// A program that is counted does the same, in the same steps, as one that is not.
func TestCountingChangesNoRun(t *testing.T) {
	program := compiled(t, "used.go", string(programOf("", used)))
	for _, way := range ways() {
		run := func(way minigo.Config) (string, quota.Spent, uint64) {
			var out bytes.Buffer
			way.Access = sandbox.Access{Stdout: &out, Stderr: &out}
			h, err := minigo.New(program, way)
			require.NoError(t, err)
			require.NoError(t, h.Run(t.Context()))
			return out.String(), h.Spent(), h.Scheduler().Inspect().Transitions()
		}
		out, spent, transitions := run(way)
		way.CountSteps = true
		counted, same, as := run(way)
		require.Equal(t, out, counted)
		require.Equal(t, spent, same)
		require.Equal(t, transitions, as)
	}
}

func TestNothingIsCountedUnlessAskedFor(t *testing.T) {
	var counted []bool
	for _, on := range []bool{false, true} {
		var h *minigo.Host
		library := minigo.Library{}
		look := func() {
			id, _ := h.Scheduler().Current().Regular()
			_, is := h.Steps(id)
			counted = append(counted, is)
		}
		require.NoError(t, library.Bind("host/probe.Look", bind.Must(bind.New(look))))
		program, err := library.Compile(minigo.File{Name: "p.go", Text: []byte("package main\n\nimport \"host/probe\"\n\nfunc main() { probe.Look() }\n")})
		require.NoError(t, err)
		h, err = minigo.New(program, minigo.Config{CountSteps: on})
		require.NoError(t, err)
		require.NoError(t, h.Run(t.Context()))
		_, none := h.Steps(fiber.RegularID(0))
		require.False(t, none)
	}
	require.Equal(t, []bool{false, true}, counted)
}
