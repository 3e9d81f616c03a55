package minigo_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/wallclock"
)

func realTime() (cfg minigo.Config) {
	cfg.Scheduler.Clock = wallclock.New()
	return cfg
}

func TestABlockingFunctionLeavesTheOtherGoroutinesRunning(t *testing.T) {
	for _, tokens := range []int{0, 1} { // with one, a call waits for the operation of another
		cfg := realTime()
		cfg.Scheduler.MaxTokens = tokens
		s := set(t, cfg)
		gate := make(chan int)
		s.boundBlocking("a.Take", func(list []int) (int, []int) { return <-gate, list })
		s.bound("a.Give", func(n int) bool {
			select {
			case gate <- n:
				return true
			default:
				return false
			}
		})
		require.Equal(t, "6\n", s.play("a os runtime strconv", `
			list := []int{1, 2}
			sums := make(chan int)
			for range 3 { go func() {
				n, copied := a.Take(list)
				if copied[0] != 1 || copied[1] != 2 { panic("changed") }
				sums <- n
			}() }
			runtime.Gosched()
			if `+map[int]string{0: "true", 1: "false"}[tokens]+` { list[0] = 5 }
			for i := range 3 { for !a.Give(i+1) { runtime.Gosched() } }
			os.Stdout.WriteString(strconv.Itoa(<-sums + <-sums + <-sums) + "\n")`+"\n"))
	}
}

func TestTheContextOfABlockingFunctionEndsWithItsGoroutine(t *testing.T) {
	s := set(t, realTime())
	started, ended := make(chan struct{}), make(chan error, 1)
	s.boundBlocking("a.Hang", func(ctx context.Context) (string, error) {
		close(started)
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return "dropped", ctx.Err()
	})
	s.boundBlocking("a.WaitForStart", func() { <-started })
	require.NoError(t, s.try("a", `go func() { a.Hang(); println("never") }(); a.WaitForStart()`))
	require.Error(t, <-ended)
}

func TestACancelledCallRunsItsDeferredCallsAndNotWhatFollows(t *testing.T) {
	s := set(t, realTime())
	started, ended := make(chan struct{}), make(chan error, 1)
	s.boundBlocking("a.Hang", func(ctx context.Context) error {
		close(started)
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return nil
	})
	host := s.host("a fmt", `
		func Work() { defer fmt.Println("deferred"); a.Hang(); fmt.Println("never") }
		func main() {}`)
	ctx, stop := context.WithCancel(s.ctx)
	served := make(chan error)
	go func() { served <- host.Serve(ctx) }()
	handle, err := host.Start("Work")
	require.NoError(t, err)
	<-started
	require.NoError(t, handle.Cancel(os.ErrClosed))
	_, err = handle.Result(s.ctx)
	require.ErrorIs(t, err, os.ErrClosed)
	require.ErrorIs(t, <-ended, os.ErrClosed)
	stop()
	require.ErrorIs(t, <-served, context.Canceled)
	require.Equal(t, "deferred\n", s.out.String())
}

func TestTheEndOfTheRunEndsABlockingFunction(t *testing.T) {
	s := set(t, realTime())
	ctx, cancel := context.WithCancel(long.Context(t))
	ended := make(chan struct{})
	s.boundBlocking("a.Hang", func(inner context.Context) error {
		cancel()
		<-inner.Done()
		close(ended)
		return inner.Err()
	})
	host := s.host("a fmt", `func Work() { a.Hang(); fmt.Println("never") }; func main() {}`)
	_, err := host.Call(ctx, "Work")
	require.ErrorIs(t, err, context.Canceled)
	<-ended
	require.Empty(t, s.out.String())
}

func TestErrorsOfABlockingFunctionAreThoseOfAnyOther(t *testing.T) {
	s := set(t, realTime())
	s.boundBlocking("a.Open", func(ctx context.Context, path string) (int64, error) {
		f, err := os.Open(path)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		return f.Seek(0, 2)
	})
	err := s.try("a", `_, err := a.Open("/no/such"); panic(err)`)
	require.ErrorIs(t, err, os.ErrNotExist)
	s.boundBlocking("a.Crash", func() { panic("at the disco") })
	require.ErrorContains(t, s.try("a", `a.Crash()`), "panic: a.Crash: a Go function failed\n")
}

// Cancelled calls are dropped at every moment: before a worker takes them, while they run, and when their
// results are there.
func TestAStormOfCancelledBlockingCalls(t *testing.T) {
	cfg := realTime()
	cfg.IOWorkers = 3
	s := set(t, cfg)
	s.boundBlocking("a.Work", func(ctx context.Context, n int) ([]int, error) {
		for range n % 5 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		return make([]int, n%7), nil
	})
	host := s.host("a runtime", `
		func Work(n int) int {
			for range n % 3 { runtime.Gosched() }
			list, err := a.Work(n)
			if err != nil { return -1 }
			return len(list)
		}
		func main() {}`)
	ctx, stop := context.WithCancel(s.ctx)
	served := make(chan error)
	go func() { served <- host.Serve(ctx) }()
	for range 20 {
		var calls [20]interface{ Done() <-chan struct{} }
		for i := range calls {
			handle, err := host.Start("Work", i)
			require.NoError(t, err)
			calls[i] = handle
			if i%2 == 0 {
				require.NoError(t, handle.Cancel(errors.New("not needed")))
				continue
			}
			defer func() {
				values, err := handle.Result(s.ctx)
				require.NoError(t, err)
				require.Equal(t, []any{float64(i % 7)}, values)
			}()
		}
		for _, call := range calls {
			<-call.Done()
		}
	}
	stop()
	require.ErrorIs(t, <-served, context.Canceled)
}

func TestABlockingFunctionInVirtualTimeRunsInPlace(t *testing.T) {
	s := set(t, minigo.Config{})
	s.boundBlocking("a.Read", func() ([]byte, error) { return []byte("data"), nil })
	require.Equal(t, "data <nil> 0\n", s.play("a fmt time", `b, err := a.Read(); fmt.Println(string(b), err, time.Now().UnixNano())`))
}
