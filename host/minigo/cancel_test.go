package minigo_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/scheduler"
)

// waits are all the ways in which a goroutine waits; c is never ready.
var waits = []struct{ name, declare, wait string }{
	{"send of a word", "c := make(chan int)", "c <- 1"},
	{"receive of a word", "c := make(chan int)", "println(<-c)"},
	{"send of a string", "c := make(chan string)", `c <- "sent"`},
	{"receive of a string", "c := make(chan string)", "println(<-c)"},
	{"receive with ok", "c := make(chan bool)", "v, ok := <-c; println(v, ok)"},
	{"range", "c := make(chan int)", "for range c { }"},
	{"nil channel", "var c chan int", "<-c"},
	{"select", "c, d := make(chan int), make(chan string)", `select { case <-c: println("c"); case d <- "": println("d") }`},
	{"select without a case", "", "select { }"},
	{"sleep", "", "time.Sleep(time.Hour)"},
	{"lock", "var c sync.Mutex; c.Lock()", "c.Lock()"},
	{"wait group", "var c sync.WaitGroup; c.Add(1)", "c.Wait()"},
}

// interrupted runs a program that waits in a goroutine, or in main, and ends that one with end: when
// it waits, or, early, before it does.
func interrupted(t *testing.T, cfg minigo.Config, program string, early bool, end func(*scheduler.Core, fiber.ID)) (string, error) {
	t.Helper()
	p, err := minigo.Compile(minigo.File{Name: "x.go", Text: []byte(program)})
	require.NoError(t, err)
	var host *minigo.Host
	var out writes
	var waiter fiber.ID
	out.told = func(line string) {
		switch {
		case line == "I wait\n":
			if waiter = host.Scheduler().Current(); early {
				end(host.Scheduler(), waiter)
			}
		case line == "now\n" && !early:
			end(host.Scheduler(), waiter)
		}
	}
	cfg.Access.Stderr = &out
	host, err = minigo.New(p, cfg)
	require.NoError(t, err)
	err = host.Run(t.Context())
	return out.text.String(), err
}

// writes keeps what is written, and reports each write.
type writes struct {
	text bytes.Buffer
	told func(string)
}

func (w *writes) Write(p []byte) (int, error) {
	w.told(string(p))
	return w.text.Write(p)
}

func inGoroutine(declare, wait string) string {
	return fmt.Sprintf(`package main

import (
	"sync"
	"time"
)

var _ sync.Once

func main() {
	%s
	go func() {
		defer println("deferred")
		println("I wait")
		%s
		println("went on")
	}()
	time.Sleep(1)
	println("now")
	time.Sleep(1)
	println("main returns")
}
`, declare, wait)
}

func TestACancelledGoroutineRunsItsDeferredCallsAndNothingElse(t *testing.T) {
	cancel := func(c *scheduler.Core, id fiber.ID) { require.NoError(t, c.Cancel(id, nil)) }
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			for _, way := range ways() {
				out, err := interrupted(t, way, inGoroutine(w.declare, w.wait), false, cancel)
				require.NoError(t, err, "%+v", way)
				require.Equal(t, "I wait\nnow\ndeferred\nmain returns\n", out, "%+v", way)

				out, err = interrupted(t, way, inGoroutine(w.declare, w.wait), true, cancel)
				require.NoError(t, err, "%+v", way)
				require.Equal(t, "I wait\ndeferred\nnow\nmain returns\n", out, "before it waits: %+v", way)
			}
		})
	}
}

func TestAKilledGoroutineRunsNothingMore(t *testing.T) {
	kill := func(c *scheduler.Core, id fiber.ID) { require.NoError(t, c.Kill(id, nil)) }
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			for _, way := range ways() {
				for _, early := range []bool{false, true} {
					out, err := interrupted(t, way, inGoroutine(w.declare, w.wait), early, kill)
					require.NoError(t, err, "%+v", way)
					require.Equal(t, "I wait\nnow\nmain returns\n", out, "%+v, early %v", way, early)
				}
			}
		})
	}
}

func TestCancellingMainEndsTheProgramWithTheCause(t *testing.T) {
	cause := errors.New("the user has had enough")
	const main = `package main

import (
	"runtime"
	"time"
)

func main() {
	go func() {
		time.Sleep(1)
		println("now")
		select { }
	}()
	defer println("deferred")
	println("I wait")
	%s
	println("went on")
}

func init() { _ = runtime.NumGoroutine }
`
	for wait, want := range map[string]string{
		"<-make(chan int)": "I wait\nnow\ndeferred\n",
		"runtime.Goexit()": "I wait\ndeferred\nnow\n",
	} {
		for _, way := range ways() {
			out, err := interrupted(t, way, fmt.Sprintf(main, wait), false, func(c *scheduler.Core, id fiber.ID) {
				require.NoError(t, c.Cancel(id, cause))
			})
			require.Equal(t, cause, err, "%s: %+v", wait, way)
			require.Equal(t, want, out, "%s: %+v", wait, way)
		}
	}
}

func TestKillingMainEndsTheProgramWithTheCause(t *testing.T) {
	cause := errors.New("the user has had enough")
	const program = `package main

import "time"

func main() {
	go func() {
		time.Sleep(1)
		println("now")
		time.Sleep(1)
		println("went on")
	}()
	defer println("deferred")
	println("I wait")
	<-make(chan int)
}
`
	for _, way := range ways() {
		out, err := interrupted(t, way, program, false, func(c *scheduler.Core, id fiber.ID) { require.NoError(t, c.Kill(id, cause)) })
		require.ErrorIs(t, err, scheduler.ErrKilled, "%+v", way)
		require.ErrorIs(t, err, cause, "%+v", way)
		require.Equal(t, "I wait\nnow\n", out, "%+v", way)
	}
}
