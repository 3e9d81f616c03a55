package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// ticking is a test with a goroutine that wakes each millisecond, whatever the rest does.
func ticking(wait, rest string) string {
	return `package kernel

import (
	"testing"
	"time"
)

var tick = time.NewTicker(time.Millisecond)

func TestTicking(t *testing.T) {
	quit := make(chan bool)
	go func() {
		for {
			` + wait + `
			select {
			case <-quit:
				return
			default:
			}
		}
	}()
	c := make(chan int)
	` + rest + `
}
`
}

// A goroutine that goes on without end hides neither a main that waits forever nor a leak, and is no
// finding itself when main has returned.
func TestAnEndlessTickerHidesNothing(t *testing.T) {
	for _, wait := range []string{"<-tick.C", "<-time.After(time.Millisecond)", "time.Sleep(time.Millisecond)"} {
		for rest, want := range map[string]struct {
			status int
			kind   string
		}{
			"<-c":                  {statusFinding, "endless, found in run 1;"},
			"go func() { <-c }()":  {statusFinding, "leak: the main fiber has returned, and one fiber is blocked"},
			"_ = c":                {statusDone, ""},
			"close(quit)\n\t_ = c": {statusDone, ""},
			"go func() { <-c }()\n\tgo func() { <-time.After(time.Minute); c <- 1 }()": {statusDone, ""},
			"go func() { <-c }()\n\tgo func() { time.Sleep(time.Minute); c <- 1 }()":   {statusDone, ""},
			"go func() { select { case <-c: case <-time.After(time.Minute): } }()":     {statusDone, ""},
		} {
			files{"k_test.go": ticking(wait, rest)}.write(t)
			e := selvage(t, "explore", "--runs", "50", "k_test.go")
			require.Equal(t, want.status, e.status, "%s %s: %s %s", wait, rest, e.out, e.err)
			require.Contains(t, e.out, want.kind)
		}
	}
}

// A ticker that no goroutine receives from cannot end a wait: the deadlock is found as without it.
func TestATickerWithoutReceiversKeepsNothingAlive(t *testing.T) {
	files{"k_test.go": "package kernel\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestStuck(t *testing.T) {\n\ttick := time.NewTicker(time.Millisecond)\n\tdefer tick.Stop()\n\tselect {}\n}\n"}.write(t)
	e := selvage(t, "explore", "k_test.go")
	require.Equal(t, statusFinding, e.status)
	require.Regexp(t, `^deadlock, found in run 1; switches: 0\n( +\d+  .*\n)+fatal error: all goroutines are asleep - deadlock!\n`, e.out)
}

// A loop that polls ends when another goroutine, or a timer, has done what it waits for, under every
// schedule; one that polls for what nothing does is endless.
func TestALoopThatPollsEndsUnderEverySchedule(t *testing.T) {
	for body, want := range map[string]int{
		"go func() { x.Store(1) }()\n\tfor x.Load() == 0 {\n\t}":                                                               statusDone,
		"go func() { time.Sleep(time.Millisecond); x.Store(1) }()\n\tfor x.Load() == 0 {\n\t}":                                 statusDone,
		"go func() { time.Sleep(time.Millisecond); x.Store(1) }()\n\tfor x.Load() == 0 {\n\t\truntime.Gosched()\n\t}":          statusDone,
		"c := time.After(time.Millisecond)\n\tfor {\n\t\tselect {\n\t\tcase <-c:\n\t\t\treturn\n\t\tdefault:\n\t\t}\n\t}":      statusDone,
		"for range 2 {\n\t\tgo func() {\n\t\t\tfor x.Load() == 0 {\n\t\t\t}\n\t\t}()\n\t}\n\tx.Store(1)":                       statusDone,
		"for range 2 {\n\t\tgo func() {\n\t\t\tfor x.Load() == 0 {\n\t\t\t}\n\t\t}()\n\t}\n\tfor x.Load() == 0 {\n\t}":         statusFinding,
		"go func() { time.Sleep(time.Millisecond) }()\n\tfor x.Load() == 0 {\n\t\truntime.Gosched()\n\t}\n\tprintln(x.Load())": statusFinding,
	} {
		files{"k_test.go": "package kernel\n\nimport (\n\t\"runtime\"\n\t\"sync/atomic\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar (\n\tx atomic.Int32\n\t_ = runtime.Gosched\n\t_ = time.Sleep\n)\n\nfunc TestPolls(t *testing.T) {\n\t" + body + "\n}\n"}.write(t)
		e := selvage(t, "explore", "--runs", "40", "k_test.go")
		require.Equal(t, want, e.status, "%s: %s %s", body, e.out, e.err)
		if want == statusFinding {
			require.Contains(t, e.out, "endless, found in run 1; switches: 0")
		}
	}
}

// Timers that are due at the same instant fire in any order, and what one of them makes ready may run
// before the next one.
func TestTimersOfOneInstantFireInAnyOrder(t *testing.T) {
	for body, want := range map[string]string{
		"a := time.AfterFunc(time.Second, func() {})\n\ttime.Sleep(time.Second)\n\tif a.Stop() {\n\t\tt.Fatal(`second first`)\n\t}":                                                           "second first",
		"n := 0\n\ttime.AfterFunc(time.Second, func() { n++ })\n\ttime.AfterFunc(time.Second, func() { n *= 3 })\n\ttime.Sleep(time.Minute)\n\tif n == 1 {\n\t\tt.Fatal(`second first`)\n\t}": "second first",
		"n := 0\n\ttime.AfterFunc(time.Second, func() { n++ })\n\ttime.AfterFunc(2 * time.Second, func() { n *= 3 })\n\ttime.Sleep(time.Minute)\n\tif n == 1 {\n\t\tt.Fatal(`never`)\n\t}":    "",
	} {
		files{"k_test.go": "package kernel\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestTimers(t *testing.T) {\n\t" + body + "\n}\n"}.write(t)
		e := selvage(t, "explore", "--runs", "200", "k_test.go")
		require.Contains(t, e.out, want)
		require.Equal(t, want != "", e.status == statusFinding, "%s: %s %s", body, e.out, e.err)
	}
}
