package minigo_test

import (
	"bytes"
	"context"
	"runtime/pprof"
	"runtime/trace"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/internal/gotools/gotoolstest"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// labeling is an output that notes the labels of the goroutine that writes.
type labeling struct{ seen []string }

func (l *labeling) Write(p []byte) (int, error) {
	l.seen = append(l.seen, gotoolstest.Labels()...)
	return len(p), nil
}

const labeledProgram = `package main

import "fmt"

func work(c chan int) {
	fmt.Println("work")
	c <- 1
}

func receive(c chan int) { <-c }

func main() {
	c := make(chan int)
	go work(c)
	receive(c)
	fmt.Println("main")
}
`

func TestGoToolsSeeTheGoroutineThatRuns(t *testing.T) {
	for _, jit := range []minigo.JITMode{minigo.JITOff, minigo.JITOn} {
		p, err := minigo.Compile(minigo.File{Name: "p.go", Text: []byte(labeledProgram)})
		require.NoError(t, err)
		out := &labeling{}
		h, err := minigo.New(p, minigo.Config{Access: sandbox.Access{Stdout: out}, JIT: jit, Scheduler: scheduler.Config{GoTools: true}})
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, trace.Start(&text))
		pprof.Do(t.Context(), pprof.Labels("guest", "p"), func(ctx context.Context) {
			err = h.Run(ctx)
			require.Equal(t, []string{`{"guest":"p"}`}, gotoolstest.Labels(), "as before the run")
		})
		trace.Stop()
		require.NoError(t, err)
		require.Equal(t, []string{
			`{"fiber":"f1.1", "function":"main.work", "guest":"p", "name":"main.work"}`,
			`{"fiber":"f0.1", "function":"main.receive", "guest":"p", "name":"main.main"}`,
		}, out.seen)
		for _, task := range []string{"main.main", "main.work"} {
			require.Contains(t, text.String(), task)
		}
	}
}
