package fibers

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/long"
)

func TestABlockingFunctionLeavesTheOtherFibersRunning(t *testing.T) {
	s := set(t, realTime(0))
	gate := make(chan int)
	s.boundBlocking("take", func(list []int) (int, []int) { return <-gate, list })
	s.bound("give", func(n int) bool {
		select {
		case gate <- n:
			return true
		default:
			return false
		}
	})
	s.play(`
		local list = {1, 2}
		local takers = {}
		for i = 1, 2 do takers[i] = fiber.spawn(take, list) end
		fiber.yield()
		list[1] = "changed after the call"
		for i = 1, 2 do while not give(i) do fiber.yield() end end
		local sum = 0
		for i = 1, 2 do local ok, n, copy = takers[i]:join() sum = sum + n assert(copy[1] == 1 and copy[2] == 2) end
		print(sum)`)
	require.Equal(t, "3\n", s.printed())
}

func TestTheContextOfABlockingFunctionEndsWithItsFiber(t *testing.T) {
	for name, program := range map[string]string{
		"cancel":      `local task = fiber.spawn(hang) wait_for_start() task:cancel() print(task:join()) wait_for_end()`,
		"end of main": `fiber.spawn(hang) wait_for_start()`,
		"pcall":       `local task = fiber.spawn(function() pcall(hang) print "never" end) wait_for_start() task:cancel() task:join() wait_for_end()`,
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, realTime(0))
			started, ended := make(chan struct{}), make(chan error, 1)
			s.boundBlocking("hang", func(ctx context.Context) (string, error) {
				close(started)
				<-ctx.Done()
				ended <- context.Cause(ctx)
				return "dropped", ctx.Err()
			})
			s.boundBlocking("wait_for_start", func() { <-started })
			s.boundBlocking("wait_for_end", func() error {
				err := <-ended
				ended <- err
				if err == nil {
					return errors.New("no cause")
				}
				return nil
			})
			require.NoError(t, s.try(program))
			require.NotContains(t, s.printed(), "never")
			require.Error(t, <-ended)
		})
	}
}

func TestTheEndOfTheRunEndsABlockingFunction(t *testing.T) {
	s := set(t, realTime(0))
	ctx, cancel := context.WithCancel(long.Context(t))
	ended := make(chan struct{})
	s.boundBlocking("hang", func(inner context.Context) error {
		cancel()
		<-inner.Done()
		close(ended)
		return inner.Err()
	})
	s.play(`function work() pcall(hang) print "never" end`)
	_, err := s.Call(ctx, "work")
	require.ErrorIs(t, err, context.Canceled)
	<-ended
	require.Empty(t, s.printed())
}

func TestErrorsOfABlockingFunctionAreThoseOfAnyOther(t *testing.T) {
	s := set(t, realTime(0))
	s.boundBlocking("open", func(ctx context.Context, path string) (int64, error) {
		f, err := os.Open(path)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		return f.Seek(0, 2)
	})
	require.ErrorIs(t, s.try(`open "/no/such"`), os.ErrNotExist)
	require.ErrorContains(t, s.try(`open(5)`), "p.lua:1: open: argument 1: want a string, got the number 5")
	s.boundBlocking("crash", func() { panic("at the disco") })
	require.EqualError(t, s.try(`crash()`), "crash panicked: at the disco")
}

// Cancelled calls are dropped at every moment: before a worker takes them, while they run, and when their
// results are there.
func TestAStormOfCancelledBlockingCalls(t *testing.T) {
	cfg := realTime(0)
	cfg.IOWorkers = 3
	s := set(t, cfg)
	s.boundBlocking("work", func(ctx context.Context, n int) ([]int, error) {
		for range n % 5 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		return make([]int, n%7), nil
	})
	s.play(`
		local done = 0
		for round = 1, 20 do
			local tasks = {}
			for i = 1, 20 do tasks[i] = fiber.spawn(function() local list = work(i) assert(#list == i % 7) return true end) end
			for i = 1, round do fiber.yield() end
			for i = 1, 20, 2 do tasks[i]:cancel() end
			for i = 1, 20 do local ok = tasks[i]:join() if i % 2 == 0 then assert(ok) end end
		end`)
}

func TestABlockingFunctionInVirtualTimeRunsInPlace(t *testing.T) {
	s := set(t, Config{})
	s.boundBlocking("read", func() ([]byte, error) { return []byte("data"), nil })
	s.play(`print(read(), fiber.now())`)
	require.Equal(t, "data\t0\n", s.printed())
}

func TestABlockingFunctionOfTheHostsOwnCodeRunsInPlace(t *testing.T) {
	s := set(t, realTime(0))
	s.boundBlocking("read", func() string { return "data" })
	L := s.State().Base()
	fn, err := L.LoadString(`return read()`)
	require.NoError(t, err)
	L.Push(fn)
	L.Call(0, 1)
	require.Equal(t, "data", L.Get(-1).String())
	L.Pop(1)
}
