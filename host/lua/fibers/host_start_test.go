package fibers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/scheduler"
)

// serve runs the Host on a goroutine of its own until stop, which returns what Serve does.
func (s *stage) serve() (stop func() error) {
	result := make(chan error)
	go func() { result <- s.Serve(s.ctx) }()
	return func() error {
		s.stop()
		return <-result
	}
}

// started posts a call that is not refused.
func (s *stage) started(fn any, args ...any) *bind.Handle {
	s.t.Helper()
	h, err := s.Start(fn, args...)
	require.NoError(s.t, err)
	return h
}

func TestManyGoroutinesCallOneHost(t *testing.T) {
	for name, cfg := range map[string]Config{"virtual": {}, "real": real(1000), "short slices": slice(1)} {
		t.Run(name, func(t *testing.T) {
			s := set(t, cfg)
			s.play(`total, m = 0, fiber.mutex()
				function add(n, list) fiber.sleep(n / 1e6) m:with(function() total = total + n end) return {n, list[2]}, total end`)
			stop := s.serve()
			var all sync.WaitGroup
			for g := range 8 {
				all.Go(func() {
					for i := range 20 {
						list := []int{g, i}
						h, err := s.Start("add", 1, list)
						if err != nil {
							t.Error(err)
							return
						}
						list[1] = -1 // it was copied
						values, err := h.Result(t.Context())
						if err != nil || fmt.Sprint(values[0]) != fmt.Sprint([]any{1, i}) {
							t.Error(values, err)
						}
					}
				})
			}
			all.Wait()
			require.ErrorIs(t, stop(), context.Canceled)
			require.Equal(t, glua.LNumber(160), s.State().Base().GetGlobal("total"))
			require.Empty(t, s.failed)
		})
	}
}

func TestTheCallsOfSeveralGoroutinesMeetInLua(t *testing.T) {
	s := set(t, Config{})
	s.play(`ch = fiber.chan() function get() return (ch:recv()) end function put(v) ch:send(v) end`)
	defer s.serve()()
	get := s.started("get") // it waits, and nothing else runs: no deadlock
	put := s.started("put", map[string]int{"n": 1})
	values, err := get.Result(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{map[string]any{"n": 1.0}}, values)
	values, err = put.Result(t.Context())
	require.NoError(t, err)
	require.Empty(t, values)
}

func TestAFunctionFromOneCallIsCalledByAnother(t *testing.T) {
	s := set(t, Config{})
	s.play(`function counter() local n = 0 return function() n = n + 1 return n end end`)
	defer s.serve()()
	made, err := s.started("counter").Result(t.Context())
	require.NoError(t, err)
	for i := range 3 {
		values, err := s.started(made[0]).Result(t.Context())
		require.NoError(t, err)
		require.Equal(t, []any{float64(i + 1)}, values)
	}
	values, err := s.started(compiled(t, `local f, x = ... return f(), x`), made[0], "x").Result(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{4.0, "x"}, values)
}

func TestACallThatFailsIsTheErrorOfItsHandleOnly(t *testing.T) {
	s := set(t, Config{})
	s.play(`function fail(what) fiber.yield() error(what, 0) end function bad() return {[{}] = 1} end`)
	stop := s.serve()
	_, err := s.started("fail", "wrong").Result(t.Context())
	guest, ok := errors.AsType[*GuestError](err)
	require.True(t, ok)
	require.Equal(t, "wrong", guest.Message)
	_, err = s.started("bad").Result(t.Context())
	require.EqualError(t, err, "bind: result 1: a table is a key of the table; keys are booleans, numbers and strings")
	require.ErrorIs(t, stop(), context.Canceled)
	require.Empty(t, s.failed)
}

func TestAHandleCancelsItsCall(t *testing.T) {
	for _, body := range []string{`fiber.chan():recv()`, `while true do pcall(fiber.yield) end`} {
		s := set(t, Config{})
		s.play(`function work() ` + body + ` end function echo(...) return ... end`)
		stop := s.serve()
		cause := errors.New("enough")
		h := s.started("work")
		require.NoError(t, h.Cancel(cause))
		<-h.Done()
		_, err := h.Result(t.Context())
		require.ErrorIs(t, err, cause)
		require.ErrorIs(t, err, scheduler.ErrCancelled)
		require.NoError(t, h.Cancel(cause))
		values, err := s.started("echo", 1).Result(t.Context())
		require.NoError(t, err)
		require.Equal(t, []any{1.0}, values)
		require.ErrorIs(t, stop(), context.Canceled)
	}
}

func TestAReaderThatGivesUpDoesNotEndTheCall(t *testing.T) {
	s := set(t, Config{})
	s.play(`ch = fiber.chan() function get() return (ch:recv()) end function put(v) ch:send(v) end`)
	defer s.serve()()
	h := s.started("get")
	ended, cancel := context.WithCancelCause(t.Context())
	given := errors.New("given up")
	cancel(given)
	_, err := h.Result(ended)
	require.ErrorIs(t, err, given)
	s.started("put", 3)
	values, err := h.Result(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{3.0}, values)
}

func TestTheEndOfARunEndsTheCallsInIt(t *testing.T) {
	s := set(t, Config{})
	s.play(`function work() fiber.sleep(1e6) return "late" end function quick() return fiber.now() end`)
	during := s.started("work")
	s.play(`fiber.sleep(1)`)
	_, err := during.Result(t.Context())
	require.ErrorIs(t, err, scheduler.ErrMainReturned)
	within := s.started("quick")
	s.play(`fiber.sleep(1)`)
	values, err := within.Result(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{0.0}, values)

	during = s.started("work")
	ctx, cancel := context.WithCancel(t.Context())
	s.global("stop", func(*glua.LState) int { cancel(); return 0 })
	s.started(compiled(t, `fiber.yield() stop()`))
	require.ErrorIs(t, s.Serve(ctx), context.Canceled)
	_, err = during.Result(t.Context())
	require.ErrorIs(t, err, scheduler.ErrKilled)
}

func TestACallToAHostThatIsClosed(t *testing.T) {
	s := set(t, Config{})
	s.play(`function work() end`)
	before := s.started("work")
	s.Close()
	_, err := before.Result(t.Context())
	require.ErrorIs(t, err, scheduler.ErrStopped)
	_, err = s.Start("work")
	require.ErrorIs(t, err, scheduler.ErrStopped)
	require.ErrorIs(t, before.Cancel(err), scheduler.ErrStopped)
	require.PanicsWithValue(t, "fibers: Call on a Host that is closed; make a new one: rule CLOSED (docs/invariants.md#closed)", func() { _, _ = s.Call(s.ctx, "work") })
	require.PanicsWithValue(t, "fibers: Serve on a Host that is closed; make a new one: rule CLOSED (docs/invariants.md#closed)", func() { _ = s.Serve(s.ctx) })
}

func TestACallThatFindsNoRoomIsRefused(t *testing.T) {
	cfg := Config{}
	cfg.Runtime.MaxFibers, cfg.Runtime.MaxCommands = 1, 1
	s := set(t, cfg)
	s.play(`function work() end`)
	posted := s.started("work")
	_, err := s.Start("work")
	require.ErrorIs(t, err, scheduler.ErrInboxFull)
	s.play(`fiber.sleep(1)`)
	_, err = posted.Result(t.Context())
	require.ErrorIs(t, err, scheduler.ErrTooManyFibers)
}

func TestTheTimeOfServeBeginsWithIt(t *testing.T) {
	s := set(t, Config{})
	s.play(`fiber.sleep(5) function now() return fiber.now() end`)
	h := s.started("now")
	defer s.serve()()
	values, err := h.Result(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{0.0}, values)
}

func TestACallWithoutAContextIsRefused(t *testing.T) {
	s := set(t, Config{})
	var none context.Context
	posted := s.started("print")
	for name, call := range map[string]func(){
		"fibers: Run":      func() { _, _ = s.Run(none, strings.NewReader(""), "p.lua") },
		"fibers: Call":     func() { _, _ = s.Call(none, "print") },
		"fibers: CallInto": func() { _ = s.CallInto(none, nil, "print") },
		"fibers: Serve":    func() { _ = s.Serve(none) },
		"bind: Result":     func() { _, _ = posted.Result(none) },
		"bind: ResultInto": func() { _ = posted.ResultInto(none) },
	} {
		require.PanicsWithValue(t, name+" has no context; pass context.Background() for no limit: rule VALID-ARGUMENT (docs/invariants.md#valid-argument)", call)
	}
	s.play(``)
}

func TestACallMayUseIslands(t *testing.T) {
	s := set(t, real(1000))
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		call := s.started(compiled(t, `return select(2, fiber.island():spawn(function(n) return n * 2 end, ...):join())`), 21)
		result := make(chan error)
		go func() { result <- s.Serve(ctx) }()
		values, err := call.Result(t.Context())
		require.NoError(t, err)
		require.Equal(t, []any{42.0}, values)
		cancel()
		require.ErrorIs(t, <-result, context.Canceled)
	}
}
