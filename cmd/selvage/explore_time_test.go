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
			"go func() { <-c }()":  {statusFinding, "leak: the main fiber has returned, and 1 fibers are blocked"},
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
	require.Contains(t, e.out, "deadlock, found in run 1; switches: 0\nfatal error: all goroutines are asleep - deadlock!")
}
