// Package testing is what minigo has of Go's: tests, without benchmarks and fuzzing. A failed test
// prints what it has logged, without positions. -run NAME after the name of the program picks a test.
package testing

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// TB is what T and B have in common.
type TB interface {
	Cleanup(func())
	Error(args ...any)
	Errorf(format string, args ...any)
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
	Name() string
	Skip(args ...any)
	SkipNow()
	Skipf(format string, args ...any)
	Skipped() bool
}

// common is the state of a test.
type common struct {
	name     string
	lines    []string
	failed   bool
	skipped  bool
	ended    bool // by a return, FailNow or SkipNow; not by a panic
	cleanups []func()
	parent   *common
}

func (c *common) Name() string     { return c.name }
func (c *common) Failed() bool     { return c.failed }
func (c *common) Skipped() bool    { return c.skipped }
func (c *common) Helper()          {}
func (c *common) Cleanup(f func()) { c.cleanups = append(c.cleanups, f) }

func (c *common) Fail() {
	for ; c != nil; c = c.parent {
		c.failed = true
	}
}

func (c *common) FailNow() {
	c.Fail()
	c.ended = true
	runtime.Goexit()
}

func (c *common) SkipNow() {
	c.skipped, c.ended = true, true
	runtime.Goexit()
}

func (c *common) log(text string) {
	c.lines = append(c.lines, strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n        "))
}

func (c *common) Log(args ...any)                 { c.log(fmt.Sprintln(args...)) }
func (c *common) Logf(format string, args ...any) { c.log(fmt.Sprintf(format, args...)) }

func (c *common) Error(args ...any) {
	c.Log(args...)
	c.Fail()
}

func (c *common) Errorf(format string, args ...any) {
	c.Logf(format, args...)
	c.Fail()
}

func (c *common) Fatal(args ...any) {
	c.Log(args...)
	c.FailNow()
}

func (c *common) Fatalf(format string, args ...any) {
	c.Logf(format, args...)
	c.FailNow()
}

func (c *common) Skip(args ...any) {
	c.Log(args...)
	c.SkipNow()
}

func (c *common) Skipf(format string, args ...any) {
	c.Logf(format, args...)
	c.SkipNow()
}

// clean runs the cleanups, the last one first; those that they add, too.
func (c *common) clean() {
	for n := len(c.cleanups); n > 0; n = len(c.cleanups) {
		f := c.cleanups[n-1]
		c.cleanups = c.cleanups[:n-1]
		f()
	}
}

// T is a test.
type T struct {
	common
	signal   chan bool // the parent may go on: the test has ended, or calls Parallel
	released chan bool // closed when the parallel tests of the parent may go on
	parallel []*T      // the subtests that have called Parallel
	over     *T        // the test that runs this one
	subs     []string  // the reports of subtests
	paused   bool
}

func newT(name string, over *T) *T {
	t := &T{signal: make(chan bool, 1), released: make(chan bool), over: over}
	t.name = name
	if over != nil {
		t.parent = &over.common
	}
	return t
}

// Parallel lets the other tests go on, and continues when the function of the parent has returned.
func (t *T) Parallel() {
	if t.paused {
		panic("testing: t.Parallel called multiple times")
	}
	t.paused = true
	t.over.parallel = append(t.over.parallel, t)
	t.signal <- true
	<-t.over.released
}

// Run runs a subtest, and reports whether it has not failed.
func (t *T) Run(name string, f func(t *T)) bool {
	name = strings.ReplaceAll(name, " ", "_")
	if t.name != "" {
		name = t.name + "/" + name
	}
	sub := newT(name, t)
	go sub.run(f)
	<-sub.signal
	return !sub.failed
}

func (t *T) run(f func(t *T)) {
	defer t.end()
	defer t.clean()
	f(t)
	t.ended = true
	t.release()
}

// release runs the parallel subtests.
func (t *T) release() {
	close(t.released)
	for _, sub := range t.parallel {
		<-sub.signal
	}
	t.parallel = nil
}

// end reports the test, also if it has ended by a panic.
func (t *T) end() {
	if !t.ended {
		t.Fail()
	} else if len(t.parallel) > 0 {
		t.release()
	}
	if t.failed {
		t.report()
	}
	t.signal <- true
}

// report prints what the test has logged, below its parent.
func (t *T) report() {
	lines := []string{"--- FAIL: " + t.name + " (0.00s)"}
	for _, line := range append(t.subs, t.lines...) {
		lines = append(lines, "    "+line)
	}
	if t.over.over != nil {
		t.over.subs = append(t.over.subs, lines...)
		return
	}
	fmt.Println(strings.Join(lines, "\n"))
}

// InternalTest is a test and its name.
type InternalTest struct {
	Name string
	F    func(*T)
}

// M runs the tests of a program.
type M struct {
	tests []InternalTest
	code  int
}

// Run runs the tests and returns the exit status.
func (m *M) Run() int {
	all := newT("", nil)
	for _, test := range m.tests {
		if picked(test.Name) {
			all.Run(test.Name, test.F)
		}
	}
	all.release()
	if all.failed {
		m.code = 1
		fmt.Println("FAIL")
	} else {
		fmt.Println("PASS")
	}
	return m.code
}

// picked reports whether the arguments of the program pick a test; without -run they pick all.
func picked(name string) bool {
	for i, arg := range os.Args {
		if arg == "-run" || arg == "--run" || arg == "-test.run" {
			return i+1 < len(os.Args) && os.Args[i+1] == name
		}
	}
	return true
}

// RunMain is what main of a program of tests calls: first is its TestMain, or nil.
func RunMain(tests []InternalTest, first func(*M)) {
	m := &M{tests: tests}
	if first != nil {
		first(m)
	} else {
		m.Run()
	}
	if m.code != 0 {
		os.Exit(m.code)
	}
}

// B is there for helpers that take one: benchmarks are not run.
type B struct {
	common
	N int
}

func (b *B) ResetTimer() {}
func (b *B) StartTimer() {}
func (b *B) StopTimer()  {}

func Short() bool   { return false }
func Verbose() bool { return false }
func Testing() bool { return true }
