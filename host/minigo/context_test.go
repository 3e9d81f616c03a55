package minigo_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

type contextKey struct{}

// contextsOf runs a program, and returns the context of the goroutine that prints each line. Then is
// called after each line.
func contextsOf(t *testing.T, ctx context.Context, program string, then func(h *minigo.Host, line string)) (map[string]context.Context, error) {
	t.Helper()
	p, err := minigo.Compile(minigo.File{Name: "x.go", Text: []byte(program)})
	require.NoError(t, err)
	var host *minigo.Host
	seen := map[string]context.Context{}
	out := &writes{told: func(line string) {
		own := host.Context()
		require.NoError(t, own.Err())
		seen[line] = own
		then(host, line)
	}}
	host, err = minigo.New(p, minigo.Config{Access: sandbox.Access{Stderr: out}})
	require.NoError(t, err)
	require.Equal(t, context.Background(), host.Context())
	return seen, host.Run(ctx)
}

const twoGoroutines = `package main
	import "time"
	func main() {
		go func() { println("other"); time.Sleep(time.Hour) }()
		time.Sleep(time.Second)
		println("main")
		time.Sleep(time.Second)
	}`

func TestGoCodeHasTheContextOfTheGoroutineThatCallsIt(t *testing.T) {
	at := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(context.WithValue(t.Context(), contextKey{}, "the run's"), at)
	defer cancel()
	seen, err := contextsOf(t, ctx, twoGoroutines, func(*minigo.Host, string) {})
	require.NoError(t, err)
	require.NotEqual(t, seen["main\n"], seen["other\n"])
	for line, own := range seen {
		deadline, ok := own.Deadline()
		require.True(t, ok && deadline.Equal(at), line)
		require.Equal(t, "the run's", own.Value(contextKey{}), line)
		require.Equal(t, context.Canceled, own.Err(), line)
	}
	require.ErrorIs(t, context.Cause(seen["other\n"]), scheduler.ErrMainReturned)
}

func TestACancelledGoroutineEndsItsContext(t *testing.T) {
	stop := errors.New("stop")
	for name, kill := range map[string]bool{"cancel": false, "kill": true} {
		var other context.Context
		seen, err := contextsOf(t, t.Context(), twoGoroutines, func(h *minigo.Host, line string) {
			if line == "other\n" {
				other = h.Context()
				id := h.Scheduler().Current()
				end, is := h.Scheduler().Cancel, scheduler.ErrCancelled
				if kill {
					end, is = h.Scheduler().Kill, scheduler.ErrKilled
				}
				require.NoError(t, end(id, stop))
				require.ErrorIs(t, context.Cause(other), is, name)
				require.ErrorIs(t, context.Cause(other), stop, name)
			}
		})
		require.NoError(t, err)
		require.Equal(t, other, seen["other\n"])
	}
}

func TestTheContextOfTheRunEndsGoCodeThatBlocks(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := contextsOf(t, ctx, twoGoroutines, func(h *minigo.Host, line string) {
		if line == "main\n" {
			cancel(stop)
			<-h.Context().Done()
			require.Equal(t, stop, context.Cause(h.Context()))
		}
	})
	require.ErrorIs(t, err, context.Canceled)
}
