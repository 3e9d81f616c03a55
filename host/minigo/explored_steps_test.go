package minigo_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
)

// sharing is a program whose goroutines do statements in any order, races among them. What they have seen
// is printed at the end.
const sharing = `package main

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type pair struct{ x, y int }

var (
	mu     sync.Mutex
	rw     sync.RWMutex
	once   sync.Once
	m      sync.Map
	number atomic.Int64
	n      int
	text   string
	words  []int
	table  = map[int]int{}
	whole  pair
	c0     = make(chan int)
	c1     = make(chan int, 1)
	ctx, cancel = context.WithCancelCause(context.Background())
)

func main() {
	var wg sync.WaitGroup
	local := 0
	seen := make([][]int, %d)
	%s
	wg.Wait()
	for _, s := range seen {
		println(len(s))
		for _, v := range s {
			println(v)
		}
	}
	println(local, n, text, len(words), len(table), whole.x, whole.y, number.Load(), len(c1))
	runtime.Gosched()
	time.Sleep(1)
	cancel(errors.New("end"))
}
`

// statements are grouped by what they share.
var statements = [][]string{
	{"n++", "n = %d", "see(n)", "mu.Lock(); n++; see(n); mu.Unlock()", "if mu.TryLock() { n++; mu.Unlock() }"},
	{"local++", "see(local)", "if mu.TryLock() { local += %d; runtime.Gosched(); mu.Unlock() }"},
	{"whole.x, whole.y = whole.y+%d, whole.x", "see(whole.x)", "func(p *pair) { p.y += %d; see(p.y) }(&whole)"},
	{`text += "a"`, "see(len(text))", `text = "abc"`},
	{"words = append(words, %d)", "see(len(words))", "if len(words) > 0 { words[0]++; see(words[0]) }", "for i := range words { see(words[i]) }"},
	{"table[%d]++", "see(len(table))", "for k := range table { see(k) }", "delete(table, %d)"},
	{"c1 <- %d", "see(<-c1)", "see(len(c1))", "select { case v := <-c1: see(v); default: see(-1) }", "select { case c1 <- %d: see(-2); default: }"},
	{"c0 <- %d", "see(<-c0)", "select { case v := <-c0: see(v); default: see(-1) }", "select { case v := <-c1: see(v); case c0 <- %d: see(-2) }", "c1 <- %d"},
	{"rw.RLock(); see(n); rw.RUnlock()", "rw.Lock(); n = n*2 + %d; rw.Unlock()", "if rw.TryRLock() { see(n); rw.RUnlock() }"},
	{"once.Do(func() { n += %d })", "see(n)", "n = %d"},
	{"see(int(number.Add(%d)))", "see(int(number.Load()))", "number.CompareAndSwap(%d, 7)", "number.Store(%d)"},
	{"m.Store(1, %d)", "if _, ok := m.Load(1); ok { see(1) }", "m.Delete(1)"},
	{"cancel(nil)", "if ctx.Err() != nil { see(-3) }", "select { case <-ctx.Done(): see(1); default: }"},
	{"time.Sleep(%d)", "n = %d", "defer func() { see(n) }()"},
	{"see(runtime.NumGoroutine())", "go func() { n += %d }()", "see(n)"},
}

func drawSharing(t *rapid.T) string {
	group := rapid.SampledFrom(statements).Draw(t, "group")
	bodies := make([][]string, rapid.SampledFrom([]int{2, 2, 2, 3}).Draw(t, "goroutines"))
	for g := range bodies {
		for range rapid.IntRange(1, 4-len(bodies)).Draw(t, "statements") {
			bodies[g] = append(bodies[g], rapid.SampledFrom(group).Draw(t, "statement"))
		}
	}
	return sharingOf(bodies)
}

// sharingOf is the program of goroutines with these statements.
func sharingOf(bodies [][]string) string {
	var b strings.Builder
	for g, body := range bodies {
		fmt.Fprintf(&b, "wg.Go(func() {\n\t\tsee := func(v int) { seen[%d] = append(seen[%d], v) }\n\t\t_ = see\n", g, g)
		for _, s := range body {
			fmt.Fprintf(&b, "\t\t%s\n", strings.ReplaceAll(s, "%d", strconv.Itoa(g+1)))
		}
		b.WriteString("\t})\n\t")
	}
	return fmt.Sprintf(sharing, len(bodies), b.String())
}

// endingsOf runs all schedules of a strategy, and returns how the runs ended. With points, goroutines may be
// preempted at each access of memory.
func endingsOf(t require.TestingT, source string, points bool, s explore.Strategy, runs int) (map[string]int, explore.Result) {
	program, err := minigo.CompileWatched(minigo.File{Name: "main.go", Text: []byte(source)})
	require.NoError(t, err, source)
	inner := explore.Guest(explore.Bounds{}, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
		c := minigo.Config{Scheduler: cfg, JIT: minigo.JITOff, AccessPoints: points}
		c.Access.Stdout, c.Access.Stderr = output, output
		host, err := minigo.New(program, c)
		require.NoError(t, err)
		return host.Run(ctx)
	})
	ends := map[string]int{}
	r, err := explore.Search(context.Background(), func(d *explore.Decisions) (explore.Ending, error) {
		ending, err := inner(d)
		ends[fmt.Sprint(ending.Kind, ending.Text, ending.Output)]++
		return explore.Ending{Kind: explore.Passed}, err
	}, explore.Options{Strategy: s, Runs: runs})
	require.NoError(t, err, source)
	return ends, r
}

// comparison counts the schedules of the programs that have been compared.
type comparison struct{ programs, dfs, dpor int }

// compare holds if DPOR finds what all schedules find; a program with more than most schedules says nothing.
func (c *comparison) compare(t require.TestingT, source string, points bool, most int) {
	want, every := endingsOf(t, source, points, explore.Depth(explore.Unbounded), most)
	if every.Complete == "" {
		return
	}
	got, some := endingsOf(t, source, points, explore.DPOR(), most)
	require.NotEmpty(t, some.Complete, source)
	require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)), source)
	c.programs, c.dfs, c.dpor = c.programs+1, c.dfs+every.Runs, c.dpor+some.Runs
}

// What the steps of a Go program use is declared: DPOR leaves out nothing that all schedules of two
// statements find.
func TestDPORFindsTheEndingsOfAllSchedulesOfTwoStatements(t *testing.T) {
	var c comparison
	for _, group := range statements {
		for i, a := range group {
			for _, b := range group[i:] {
				c.compare(t, sharingOf([][]string{{a}, {b}}), false, 1000)
			}
		}
	}
	t.Logf("%d programs, %d schedules, %d of them were enough", c.programs, c.dfs, c.dpor)
	require.Greater(t, c.programs, 90)
	require.Less(t, c.dpor, c.dfs/4)
}

func TestDPORFindsTheEndingsOfAllSchedulesOfRandomGoPrograms(t *testing.T) {
	if !long.On(t) {
		return
	}
	var c comparison
	for range long.Cases(0, 2) {
		rapid.Check(t, func(t *rapid.T) { c.compare(t, drawSharing(t), rapid.Bool().Draw(t, "points"), 1500) })
	}
	t.Logf("%d programs, %d schedules, %d of them were enough", c.programs, c.dfs, c.dpor)
	require.Less(t, c.dpor, c.dfs/4)
}
