package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "write what the programs print beside them")

// Time is virtual, so each run is the same.
func TestEachProgramPrintsWhatIsBesideIt(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a page")) }))
	defer server.Close()
	files, err := filepath.Glob("programs/*.lisp")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var out bytes.Buffer
		if err := run(t.Context(), scheduler.NewVirtualClock(), filepath.Base(file), string(text), []string{server.URL}, &out); err != nil {
			fmt.Fprintln(&out, strings.TrimSpace(err.Error()))
		}
		beside := strings.TrimSuffix(file, ".lisp") + ".out"
		if *rewrite {
			require.NoError(t, os.WriteFile(beside, out.Bytes(), 0o644))
		}
		want, err := os.ReadFile(beside)
		require.NoError(t, err)
		assert.Equal(t, string(want), out.String(), file)
	}
}

func TestAWrongProgramFailsWithItsLine(t *testing.T) {
	for program, want := range map[string]string{
		"(print 1":                    "p.lisp:1: the list has no )",
		"\n)":                         "p.lisp:2: unexpected )",
		"\"text":                      "p.lisp:1: literal not terminated",
		`"\q"`:                        "p.lisp:1: invalid char escape",
		strings.Repeat("(", 2000):     "p.lisp:1: lists are nested too deeply",
		"\n(print\n x)":               "p.lisp:3: panic: undefined: x",
		"(1 2)":                       "p.lisp:1: panic: a number is no function",
		"(define)":                    "p.lisp:1: panic: want (define name form)",
		"(define (1) 2)":              "p.lisp:1: panic: define has no name",
		"(set x 1)":                   "p.lisp:1: panic: undefined: x",
		"(fn 1)":                      "p.lisp:1: panic: want (fn (params) body)",
		"(fn (1) 1)":                  "p.lisp:1: panic: a parameter is no name",
		"(if)":                        "p.lisp:1: panic: want (if condition form form)",
		"(while)":                     "p.lisp:1: panic: want (while condition body)",
		"(try)":                       "p.lisp:1: panic: want (try form handler)",
		"(nth (list 1) 1)":            "p.lisp:1: panic: the list has 1 elements, and none at 1",
		"(+ 1)":                       "p.lisp:1: panic: 1 arguments, want 2",
		"(+ 1 (chan))":                "p.lisp:1: panic: argument 2 is a channel, want a number",
		"(sleep (- 0 1))":             "p.lisp:1: panic: wait: bad duration",
		"(sleep 9000000000000000000)": "p.lisp:1: panic: wait: bad duration",
		"(define l (list)) (define i 0) (while (< i 20) (set l (list l)) (set i (+ i 1))) (fail l)": "panic: (((((((((((...)))))))))))",
		"(spawn)":                            "p.lisp:1: panic: want (spawn function arguments)",
		"\n(join (spawn 1))":                 "p.lisp:2: panic: the fiber failed: p.lisp:2: panic: a number is no function",
		"(http \"x y:\")":                    "p.lisp:1: panic: parse",
		"(define (f) (f))\n\n(f)":            "p.lisp:1: panic: calls are nested too deeply",
		"(sort (list 2 1)\n (fn (a b) nil))": "p.lisp:1: panic: the comparison gives a nil, want a number",
		"(sort (list 2 1)\n (fn (a b)\n (fail \"boom\")))":                                "p.lisp:3: panic: boom",
		"(define c (chan))\n(define f (spawn (fn () (join (recv c)))))(send c f)(join f)": "a fiber cannot wait for its own end",
	} {
		var out bytes.Buffer
		err := run(t.Context(), scheduler.NewVirtualClock(), "p.lisp", program, nil, &out)
		assert.ErrorContains(t, err, want, program)
	}
}

// As Ctrl-C does: here it comes while a comparison of a sort waits for a page.
func TestTheEndOfTheContextEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer server.Close()
	program := `(define c (chan)) (spawn (fn () (recv c))) (sort (list 2 1) (fn (a b) (http (nth args 0))))`
	var out bytes.Buffer
	err := run(ctx, scheduler.NewVirtualClock(), "p.lisp", program, []string{server.URL}, &out)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, out.String())
}

// The end of the main fiber ends a request that another fiber waits for.
func TestTheEndOfTheMainFiberEndsAllRequests(t *testing.T) {
	asked := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	defer server.Close()
	program := `(spawn http (nth args 0)) (sleep 1)`
	var out bytes.Buffer
	assert.NoError(t, run(t.Context(), afterwards{scheduler.NewVirtualClock(), asked}, "p", program, []string{server.URL}, &out))
}

// afterwards is a clock that goes on when the server has been asked.
type afterwards struct {
	*scheduler.VirtualClock
	asked chan struct{}
}

func (c afterwards) Wait(ctx context.Context, until fiber.Time, wake <-chan struct{}) {
	<-c.asked
	c.VirtualClock.Wait(ctx, until, wake)
}
