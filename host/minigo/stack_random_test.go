package minigo_test

import (
	"bytes"
	"hash"
	"hash/fnv"
	"io"
	"os"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/host/minigo/internal/gen"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
)

// looker asks for the stacks of all fibers at each poll.
type looker struct {
	t      require.TestingT
	host   *minigo.Host
	memory scheduler.Snapshot
	every  int
	polls  int
	values int // how many it has seen
	stacks hash.Hash64
}

func (l *looker) Serve([]fiber.Token) {
	if l.polls++; l.polls%l.every != 0 {
		return
	}
	l.memory = l.host.Scheduler().Inspect().Snapshot(l.memory)
	for _, f := range l.memory.Fibers {
		id, _ := f.ID.Regular()
		calls := l.host.Stack(id, true)
		require.NotNil(l.t, calls)
		require.Equal(l.t, functionIn(calls), l.host.Function(id))
		_, _ = io.WriteString(l.stacks, written(calls))
		for _, c := range calls {
			require.NotEmpty(l.t, c.Function)
			for _, v := range c.Locals {
				require.True(l.t, utf8.ValidString(v.Value))
				require.LessOrEqual(l.t, utf8.RuneCountInString(v.Value), frame.MaxText)
				require.NotEqual(l.t, "?", v.Value, "%s in %s:%d", v.Name, c.Function, c.Line)
				l.values++
			}
		}
	}
}

// functionIn is the innermost function of the program in a stack: those of the host have no file. The one that
// initializes the program counts as main.
func functionIn(calls []frame.Frame) string {
	for _, c := range calls {
		switch {
		case c.Function == "main.init.0":
			return "main.main"
		case c.File != "":
			return c.Function
		}
	}
	return ""
}

// observed is what a run has done.
type observed struct {
	out, end    string
	transitions uint64
}

// observe runs a program, which is looked at if every is not 0.
func observe(t *testing.T, program *minigo.Program, cfg minigo.Config, every int) (observed, *looker) {
	t.Helper()
	var out bytes.Buffer
	cfg.Access.Stdout, cfg.Access.Stderr = &out, &out
	host, err := minigo.New(program, cfg)
	require.NoError(t, err)
	l := &looker{t: t, host: host, every: every, stacks: fnv.New64a()}
	if every > 0 {
		host.Scheduler().Ops().AddDevice(l)
	}
	seen := observed{}
	if err := host.Run(long.Context(t)); err != nil {
		seen.end = err.Error()
	}
	seen.out, seen.transitions = out.String(), host.Scheduler().Inspect().Transitions()
	return seen, l
}

func TestLookingAtStacksChangesNoRun(t *testing.T) {
	values := 0
	for i := range long.Cases(6, 300) {
		p := random(i, 1)[0]
		file := minigo.File{Name: "random.go", Text: []byte(gen.Main(p))}
		values += lookedAt(t, file, strconv.Itoa(p.Number()))
	}
	for _, name := range []string{"defers", "recover", "repanic", "fibers", "deadlock"} {
		text, err := os.ReadFile("testdata/" + name + "/main.go")
		require.NoError(t, err)
		values += lookedAt(t, minigo.File{Name: "main.go", Text: text})
	}
	require.Greater(t, values, 1000)
}

// lookedAt runs a program in several ways, with and without a look at its stacks.
func lookedAt(t *testing.T, file minigo.File, args ...string) (values int) {
	t.Helper()
	plain, err := minigo.Compile(file)
	require.NoError(t, err)
	inspected, err := (&minigo.Library{Inspected: true}).Compile(file)
	require.NoError(t, err)
	require.Equal(t, plain.Disassemble(), inspected.Disassemble())
	shown := map[int]uint64{}
	for i, cfg := range append(ways(), minigo.Config{JIT: minigo.JITOff, Scheduler: scheduler.Config{Budget: 1}}) {
		cfg.Args = append([]string{"random"}, args...)
		want, _ := observe(t, plain, cfg, 0)
		got, l := observe(t, inspected, cfg, 1+cfg.Scheduler.Budget%3)
		require.Equal(t, want, got, "way %d\n%s", i, file.Text)
		values += l.values
		if known, ok := shown[cfg.Scheduler.Budget]; ok {
			require.Equal(t, known, l.stacks.Sum64(), "machine code shows other stacks than the interpreter\n%s", file.Text)
		}
		shown[cfg.Scheduler.Budget] = l.stacks.Sum64()
	}
	return values
}
