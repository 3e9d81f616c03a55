package minigo_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/trace"
)

// compiled is a program that every machine must be able to run.
func compiled(t testing.TB, name, source string) *minigo.Program {
	t.Helper()
	program, err := minigo.Compile(minigo.File{Name: name, Text: []byte(source)})
	require.NoError(t, err)
	return program
}

// traced runs a program and returns every transition of the scheduler.
func traced(t *testing.T, program *minigo.Program, cfg minigo.Config) string {
	t.Helper()
	var journal bytes.Buffer
	w := trace.New(&journal, &cfg.Scheduler)
	host, err := minigo.New(program, cfg)
	require.NoError(t, err)
	err = host.Run(t.Context())
	require.NoError(t, w.Close())
	if err != nil {
		journal.WriteString(err.Error())
	}
	return journal.String()
}

// TestSlicesEndAtTheSameInstructions compares the journals of the interpreter and of machine
// code: the same slices in the same order.
func TestSlicesEndAtTheSameInstructions(t *testing.T) {
	programs, err := filepath.Glob("testdata/*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, path := range programs {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		program := compiled(t, path, string(source))
		for _, way := range ways() {
			interpreted := way
			interpreted.JIT = minigo.JITOff
			require.Equal(t, traced(t, program, interpreted), traced(t, program, way), "%s, %+v", path, way)
		}
	}
}

// failures panics in each way that machine code leaves to the interpreter, often enough that
// all of it is machine code, and recovers.
const failures = `package main

type list struct{ next *list; v [3]int }

func try(what int, zero int, p *list, s []int, t string, refs []*list) (n int) {
	defer func() {
		if e := recover(); e != nil {
			n = len(e.(error).Error())
			if rounds == 0 {
				println(what, e.(error).Error())
			}
		}
	}()
	for i := 0; i < 3; i++ {
		n += i
	}
	switch what {
	case 0:
		return n / zero
	case 1:
		return n % zero
	case 2:
		return int(uint(n) / uint(zero))
	case 3:
		return p.v[0]
	case 4:
		p.v[n] = 1
	case 5:
		return s[n]
	case 6:
		s[n-4] = 1
	case 7:
		return int(t[n])
	case 8:
		p = refs[n]
	case 9:
		refs[n+1] = p
	case 10:
		p.next = p
	case 11:
		var v [3]int
		return v[n]
	case 12:
		return n << (zero - 1)
	}
	return -1
}

var rounds int

func main() {
	sum := 0
	for rounds = 0; rounds < 200; rounds++ {
		for what := range 13 {
			sum += try(what, 0, nil, nil, "", nil)
		}
	}
	println(sum)
}
`

func TestMachineCodeFailsInGosWords(t *testing.T) {
	var want string
	for _, way := range append(ways(), minigo.Config{}) {
		var out bytes.Buffer
		way.Access.Stderr = &out
		host, err := minigo.New(compiled(t, "failures.go", failures), way)
		require.NoError(t, err)
		require.NoError(t, host.Run(t.Context()))
		if want == "" {
			want = out.String()
			require.Equal(t, 14, strings.Count(want, "\n"), want)
		}
		require.Equal(t, want, out.String(), "%+v", way)
		if stats := host.JITStats(); way.JIT == minigo.JITEager {
			require.Greater(t, stats.Interpreted, uint64(100), "%v", stats) // less than all while the collector marks
		}
	}
}

func TestHotFunctionsAreCompiled(t *testing.T) {
	if minigo.JITWorks() != nil {
		t.Log("there is no machine code here")
		return
	}
	program := compiled(t, "hot.go", `package main

func even(n int) bool { return n%2 == 0 }

func count(n int) (c int) {
	for i := range n {
		if even(i) {
			c++
		}
	}
	return c
}

func once() int { return 7 }

func main() {
	println(count(100_000) + once())
}
`)
	var out bytes.Buffer
	host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stderr: &out}})
	require.NoError(t, err)
	require.NoError(t, host.Run(t.Context()))
	require.Equal(t, "50007\n", out.String())
	stats := host.JITStats()
	require.Equal(t, 2, stats.Functions, "%v", stats)
	require.Less(t, stats.Entries, uint64(20_000), "%v", stats) // more often only while the collector marks

	host, err = minigo.New(program, minigo.Config{JIT: minigo.JITOff})
	require.NoError(t, err)
	require.NoError(t, host.Run(t.Context()))
	require.Zero(t, host.JITStats().Functions)
	require.NotEmpty(t, host.JITStats().Why)
}

// TestWhatRunsIsNeverWritable looks at the pages of the process while machine code of it is
// on its way, and when it is over.
func TestWhatRunsIsNeverWritable(t *testing.T) {
	if _, err := os.Stat("/proc/self/maps"); err != nil || minigo.JITWorks() != nil {
		t.Log("the system does not tell, or there is no machine code")
		return
	}
	anonymous := regexp.MustCompile(`(?m)^\S+ r-xp 00000000 00:00 0 *$`)
	pages := func() int {
		maps, err := os.ReadFile("/proc/self/maps")
		require.NoError(t, err)
		require.NotRegexp(t, `(?m)^\S+ .wx`, string(maps))
		return len(anonymous.FindAll(maps, -1))
	}
	before, during := pages(), 0
	host, err := minigo.New(compiled(t, "x.go", `package main

import "fmt"

func main() { fmt.Println("now") }
`), minigo.Config{JIT: minigo.JITEager, Access: sandbox.Access{Stdout: writerFunc(func() { during = pages() })}})
	require.NoError(t, err)
	require.NoError(t, host.Run(context.Background()))
	require.Equal(t, before+1, during)
	require.Equal(t, before, pages())
}

// leaves calls functions that machine code has in place of their calls: in each slice, at the
// bottom of the stack, and where they panic.
const leaves = `package main

func clamp(x, low, high int) int {
	if x < low {
		return low
	}
	if x > high {
		return high
	}
	return x
}

func ratio(x, y int) (int, float64) { return x / y, float64(x) / float64(y) }

func wide(x int) int { // needs more room than its caller
	a, b, c, d := x+1, x+2, x+3, x+4
	e, f, g, h := a+b, b+c, c+d, d+a
	return e + f + g + h
}

func deep(n int) int {
	c := wide(n) // on a line of its own, to be seen in the traceback
	return c + deep(n+1)
}

func try(y int) (q int) {
	defer func() {
		if e := recover(); e != nil {
			q = -len(e.(error).Error())
		}
	}()
	q, _ = ratio(100, y)
	return q
}

func main() {
	sum, s := 0, make([]int, 50)
	for i := range s {
		sum += clamp(3*i, 10, 100) + try(i%3)
		s[i] = 7
		sum += s[clamp(i, 0, 49)]
	}
	println(sum)
	deep(0)
}
`

func TestFunctionsInPlaceOfTheirCallsDoTheSame(t *testing.T) {
	program := compiled(t, "leaves.go", leaves)
	for i := range 20 { // the stacks end in all the functions
		limits := minigo.Config{MaxDepth: 20 + i, MaxStack: 1000}
		if i%2 != 0 {
			limits.MaxDepth, limits.MaxStack = 1000, 150+i
		}
		limits.Scheduler.Budget = 1 + i%5
		var first string
		for _, mode := range []minigo.JITMode{minigo.JITOff, minigo.JITOn, eagerly()} {
			var out bytes.Buffer
			way := limits
			way.JIT, way.Access.Stderr = mode, &out
			journal := traced(t, program, way)
			require.Contains(t, journal, "stack overflow")
			require.Equal(t, "5526\n", out.String())
			if first == "" {
				first = journal
			}
			require.Equal(t, first, journal, "%+v", way)
		}
	}
}

// eagerly is machine code wherever there is some.
func eagerly() minigo.JITMode {
	if minigo.JITWorks() == nil {
		return minigo.JITEager
	}
	return minigo.JITOn
}
