//go:build !race

package minigo_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/quota"
)

// holders make one more of something that they hold; with hold being blank, garbage.
func holders() map[string]struct{ declare, step string } {
	return map[string]struct{ declare, step string }{
		"words":        {"var held [][]int", "x := make([]int, 30); held = append(held, x)"},
		"large words":  {"var held [][]int", "x := make([]int, 3000); held = append(held, x)"},
		"references":   {"var held [][]*int", "x := make([]*int, 30); held = append(held, x)"},
		"objects":      {"type T struct{ a, b int; next *T }; var held *T", "x := &T{next: held}; held = x"},
		"pointers":     {"var held []*int", "x := new(int); held = append(held, x)"},
		"parts":        {"type T struct{ a [50]int; b int }; var held []*int", "x := new(T); held = append(held, &x.b)"},
		"strings":      {"var held []string", `x := strconv.Itoa(i) + "0123456789"; held = append(held, x)`},
		"substrings":   {"var held []string", `x := strings.Repeat("x", 600); held = append(held, x[100:101])`},
		"long parts":   {"var held []string", `x := strings.Repeat("x", 5000); held = append(held, x[100:1000])`},
		"halves":       {"var held []string", `x := strings.Repeat("x", 8000); x = x[:4001]; x = x[:2002]; x = x[:1003]; held = append(held, x)`},
		"fields":       {"var held [][]string", `x := strings.Fields("a b c d e f g h"); held = append(held, x)`},
		"builders":     {"var held []*strings.Builder", `x := &strings.Builder{}; x.WriteString(strings.Repeat("x", 700)); held = append(held, x)`},
		"map of words": {"var held = map[int]int{}", "held[i] = i"},
		"map of texts": {"var held = map[string]string{}", `x := strconv.Itoa(i); held[x] = x`},
		"maps":         {"var held []map[int]int", "x := map[int]int{i: 1}; held = append(held, x)"},
		"any keys":     {"var held = map[any]bool{}", "held[[3]int{i, 1, 2}] = true"},
		"closures":     {"var held []func() int", "x := func() int { return i }; held = append(held, x)"},
		"interfaces":   {"var held []any", "var x any = [4]int{i}; held = append(held, x)"},
		"channels":     {"var held []chan int", "x := make(chan int); held = append(held, x)"},
		"a buffer":     {"var held = make(chan []int, 1<<28)", "held <- make([]int, 10)"},
		"word buffer":  {"var held = make(chan int, 1<<28)", "held <- i"},
		"goroutines":   {"var held = make(chan int)", "go func() { <-held }(); runtime.Gosched()"},
		"deferred":     {"", "defer func(x []int) {}(make([]int, 10))"},
		"stack":        {"func deep(n int) int { var a [20]int; if n == 0 { return a[n] }; return deep(n-1) + a[1] }", "deep(100 * i)"},
		"timers":       {"", "time.AfterFunc(time.Hour, func() {})"},
		"alarms":       {"", "time.After(time.Hour)"},
	}
}

// holding runs a program that takes n steps and reports its progress. memory is what the host had more
// at the end of them.
func holding(t *testing.T, declare, step string, n int, way minigo.Config) (steps int, memory int64, err error) {
	t.Helper()
	source := programOf(declare, fmt.Sprintf("println(0); for i := 1; i <= %d; i++ { %s; if i%%10 == 0 { println(i) } }; println(%d)", n, step, n))
	var out bytes.Buffer
	var before, after uint64
	way.Access.Stderr = writerOf(func(p []byte) {
		if out.Len() == 0 {
			before = heap()
		}
		out.Write(p)
		if strings.HasSuffix(string(p), strconv.Itoa(n)+"\n") {
			after = heap()
		}
	})
	host, err := minigo.New(compiled(t, "hold.go", string(source)), way)
	require.NoError(t, err)
	err = host.Run(t.Context())
	lines := strings.Fields(out.String())
	steps, _ = strconv.Atoi(lines[len(lines)-1])
	return steps, int64(after - before), err
}

type writerOf func(p []byte)

func (w writerOf) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

// TestAProgramThatHoldsTooMuchEndsByItsQuota lets a program hold more and more until its quota ends it.
// Without a quota, the same takes about as much of the host's memory as the quota said.
func TestAProgramThatHoldsTooMuchEndsByItsQuota(t *testing.T) {
	const limit = 4 << 20
	for name, h := range holders() {
		t.Run(name, func(t *testing.T) {
			steps, _, err := holding(t, h.declare, h.step, 1<<30, minigo.Config{Quota: quota.Limits{Memory: limit}})
			var passed *quota.Error
			require.True(t, errors.As(err, &passed), "%v", err)
			require.Equal(t, quota.Memory, passed.Resource)
			require.EqualValues(t, limit, passed.Limit)
			_, memory, err := holding(t, h.declare, h.step, max(steps, 1), minigo.Config{Quota: quota.Limits{Memory: 1 << 25}})
			require.NoError(t, err)
			t.Logf("%d steps, %.2f of the quota", steps, float64(memory)/limit)
			require.Less(t, float64(memory), 1.25*limit)
			require.Greater(t, float64(memory), 0.75*limit)
		})
	}
}

func TestGarbageDoesNotCount(t *testing.T) {
	for name, h := range holders() {
		switch name {
		case "a buffer", "word buffer", "goroutines", "deferred", "stack", "timers", "alarms", "map of words", "map of texts", "any keys", "objects":
			continue // their step holds, and does not only make
		}
		t.Run(name, func(t *testing.T) {
			make, _, _ := strings.Cut(h.step, "; held")
			for _, way := range ways()[2:] {
				way.Quota.Memory = 1 << 20
				_, _, err := holding(t, h.declare, make+"; _ = x", 20_000, way)
				require.NoError(t, err, make)
			}
		})
	}
}

func TestAMillionAllocationsOfGarbagePassUnderASmallQuota(t *testing.T) {
	_, err := run(t, "x.go", programOf("type node struct{ next *node; v [4]int }", "var n *node; for i := range 1_000_000 { n = &node{next: n}; if i%100 == 0 { n = nil } }"),
		minigo.Config{Quota: quota.Limits{Memory: 1 << 20}})
	require.NoError(t, err)
}

// TestALargeAllocationIsRefusedBeforeItIsMade asks for far more than the host could want to have.
func TestALargeAllocationIsRefusedBeforeItIsMade(t *testing.T) {
	for _, body := range []string{
		"_ = make([]int, 1<<26)", "_ = make([]*int, 1<<26)", "_ = new([1<<26]int)", "_ = append([]int(nil), make([]int, 1<<26)...)",
		"type f func(f, [30]int) int; var g f; g = func(h f, a [30]int) int { return h(h, a) + 1 }; println(g(g, [30]int{}))",
		`_ = strings.Repeat("x", 1<<28)`, `s := "x"; for range 28 { s += s }`, `s := []int{1}; for { s = append(s, s...) }`,
		`var b strings.Builder; for { b.WriteString("0123456789abcdef") }`, `_ = fmt.Sprintf("%900000d%[1]900000d%[1]900000d%[1]900000d%[1]900000d", 1)`,
		`s := strings.Repeat("x ", 1<<18); _ = strings.Fields(s)`, `s := strings.Repeat("x", 1<<19); _ = []rune(s)`, `s := strings.Repeat("x", 1<<19); _ = []byte(s)`,
		`_ = strings.Join(make([]string, 1<<16), strings.Repeat("x", 1<<10))`, "b := map[int]any{}; for i := range 1000 { b[i] = [10_000]int{i} }",
	} {
		for _, way := range ways()[2:] {
			way.Quota.Memory = 3 << 20
			before := heap()
			_, err := run(t, "x.go", programOf("", "defer func() { recover() }(); "+body), way)
			var passed *quota.Error
			require.True(t, errors.As(err, &passed), "%s: %v", body, err)
			require.Equal(t, quota.Memory, passed.Resource)
			require.Less(t, int64(heap()-before), int64(8<<20), body)
		}
	}
}
