package fibers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// house is a Shared for tests. At the end of the test it is closed with all its Hosts, and has nothing left.
type house struct {
	*Shared
	t   *testing.T
	ctx context.Context
}

func newHouse(t *testing.T, cfg SharedConfig) *house {
	known := goleak.IgnoreCurrent()
	s := &house{Shared: NewShared(cfg), t: t, ctx: long.Context(t)}
	t.Cleanup(func() {
		for len(s.hosts) > 0 {
			s.hosts[0].Close()
		}
		s.Close()
		in := s.Runtime().Scheduler().Inspect()
		in.Verify()
		require.Zero(t, in.Live(), "fibers left")
		goleak.VerifyNone(t, known)
	})
	return s
}

// served runs the Hosts on another goroutine until the end of the test.
func (s *house) served() *house {
	ctx, stop := context.WithCancel(s.ctx)
	served := make(chan error)
	go func() { served <- s.Serve(ctx) }()
	s.t.Cleanup(func() {
		stop()
		require.Equal(s.t, context.Canceled, <-served)
	})
	return s
}

// lodger is a Host on the Shared, and what it prints and reports.
type lodger struct {
	*Host
	s      *house
	out    bytes.Buffer
	failed []string
}

func (s *house) host(cfg Config) *lodger {
	l := &lodger{s: s}
	cfg.On, cfg.Access.Stdout = s.Shared, &l.out
	cfg.Runtime.Unobserved = func(e *scheduler.UnobservedError) { l.failed = append(l.failed, e.Err.Error()) }
	l.Host = New(cfg)
	return l
}

func (l *lodger) try(program string) error {
	_, err := l.Run(l.s.ctx, strings.NewReader(program), "p.lua")
	return err
}

// post posts a call of a program, whose end nothing waits for.
func (l *lodger) post(program string) interface {
	Result(context.Context) ([]any, error)
} {
	p, err := Compile(strings.NewReader(program), "p.lua")
	require.NoError(l.s.t, err)
	h, err := l.Start(p)
	require.NoError(l.s.t, err)
	return h
}

func spinning() SharedConfig { return SharedConfig{} }

func timed() (cfg SharedConfig) {
	cfg.Runtime.Clock = wallclock.New()
	return cfg
}

// Three busy guests with the weights 1, 2 and 5, of which one has many fibers: the steps of each, when the
// first has used a number of them, are in that proportion.
func TestBusyGuestsShareTheStepsByTheirWeights(t *testing.T) {
	cfg := spinning()
	cfg.Runtime.Budget = 100
	s := newHouse(t, cfg)
	ctx, stop := context.WithCancel(s.ctx)
	weights := []int64{1, 2, 5}
	var guests []*lodger
	var spent [3]int64
	for _, weight := range weights {
		l := s.host(Config{})
		l.Group().SetWeight(weight)
		guests = append(guests, l)
	}
	base := guests[0].State().Base()
	base.SetGlobal("measure", base.NewFunction(func(*glua.LState) int {
		for i, l := range guests {
			spent[i] = l.Group().Spent().Steps
		}
		stop()
		return 0
	}))
	guests[0].post(`for i = 1, 20000 do end measure()`)
	guests[1].post(`for i = 1, 30 do fiber.spawn(function() while true do end end) end`)
	guests[2].post(`while true do end`)
	require.Equal(t, context.Canceled, s.Run(ctx))
	require.GreaterOrEqual(t, spent[0], int64(20_000))
	for i, weight := range weights {
		require.InDelta(t, weight*spent[0], spent[i], float64(2*weight*100+100), "weight %d", weight)
	}
}

func TestAGuestThatPassesItsQuotaEndsAlone(t *testing.T) {
	s := newHouse(t, spinning()).served()
	greedy, other := s.host(Config{Quota: quota.Limits{Steps: 5000}}), s.host(Config{})
	busy := other.post(`for i = 1, 1e5 do end return "done"`)
	var passed *quota.Error
	require.ErrorAs(t, greedy.try(`fiber.spawn(function() while true do end end) pcall(function() while true do end end)`), &passed)
	require.Equal(t, quota.Steps, passed.Resource)
	require.EqualValues(t, 5000, greedy.Spent().Steps)
	require.ErrorAs(t, greedy.try(``), &passed, "it stays ended")
	values, err := busy.Result(s.ctx)
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, values)
	require.NoError(t, other.try(``))
}

func TestAnExitEndsTheFibersOfItsGuestOnly(t *testing.T) {
	s := newHouse(t, spinning()).served()
	a, b := s.host(Config{}), s.host(Config{})
	other := b.post(`for i = 1, 1000 do fiber.yield() end return "done"`)
	require.Equal(t, &ExitError{3}, a.try(`fiber.spawn(function() os.exit(3) end) fiber.chan():recv()`))
	require.NoError(t, a.try(`fiber.spawn(function() os.exit(0) end) fiber.chan():recv()`))
	_, err := a.post(`fiber.spawn(function() while true do end end) os.exit(4)`).Result(s.ctx)
	var exit *ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 4, exit.Status)
	require.NoError(t, a.try(`print(1)`), "the Host runs on")
	values, err := other.Result(s.ctx)
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, values)
}

func TestAPausedGuestStandsStillAndTheOthersDoNot(t *testing.T) {
	s := newHouse(t, spinning()).served()
	paused, other := s.host(Config{}), s.host(Config{})
	begun := make(chan struct{})
	base := paused.State().Base()
	base.SetGlobal("begun", base.NewFunction(func(*glua.LState) int { close(begun); return 0 }))
	loop := paused.post(`begun() for i = 1, 1e5 do end return "done"`)
	<-begun
	require.NoError(t, paused.Pause(s.ctx))
	before := paused.Spent().Steps
	require.NoError(t, other.try(`for i = 1, 1e5 do end`))
	require.Equal(t, before, paused.Spent().Steps)
	require.NoError(t, paused.Resume(s.ctx))
	values, err := loop.Result(s.ctx)
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, values)
}

func TestTheCloseOfAGuestEndsItAlone(t *testing.T) {
	for name, served := range map[string]bool{"while the others run": true, "while none runs": false} {
		t.Run(name, func(t *testing.T) {
			s := newHouse(t, spinning())
			a, b := s.host(Config{}), s.host(Config{})
			loop := a.post(`fiber.spawn(function() while true do end end) fiber.chan():recv()`)
			other := b.post(`for i = 1, 1e5 do end return "done"`)
			if served {
				s.served()
				for a.Spent().Steps == 0 {
				}
			}
			a.Close()
			a.Close()
			_, err := loop.Result(s.ctx)
			require.ErrorIs(t, err, scheduler.ErrStopped)
			_, err = a.Start("print")
			require.ErrorIs(t, err, scheduler.ErrStopped)
			require.Panics(t, func() { _ = a.try(``) })
			if !served {
				require.NoError(t, s.Run(s.ctx))
			}
			values, err := other.Result(s.ctx)
			require.NoError(t, err)
			require.Equal(t, []any{"done"}, values)
		})
	}
}

func TestNoOtherGuestRunsWhileOneIsClosed(t *testing.T) {
	s := newHouse(t, spinning())
	a, b := s.host(Config{}), s.host(Config{})
	a.post(`fiber.chan():recv()`)
	b.post(`for i = 1, 10 do fiber.yield() end`)
	a.post(`fiber.chan():recv()`)
	a.Close()
	require.Zero(t, b.Spent().Steps)
	require.NoError(t, s.Run(s.ctx))
	require.Positive(t, b.Spent().Steps)
}

// Another guest is busy meanwhile, and does not end.
func TestTheDeadlockOfOneGuestIsReportedWhileOthersRun(t *testing.T) {
	s := newHouse(t, spinning()).served()
	busy, stuck := s.host(Config{}), s.host(Config{})
	busy.post(`while true do end`)
	for range 2 {
		var dead *scheduler.DeadlockError
		require.ErrorAs(t, stuck.try(`
			local ch = fiber.chan()
			fiber.spawn(function() ch:recv() end)
			fiber.yield()
			ch:recv()`), &dead)
		require.Len(t, dead.Report.Fibers, 2)
		require.ElementsMatch(t, []string{"p.lua:5", "p.lua:3"}, []string{dead.Report.Fibers[0].Site, dead.Report.Fibers[1].Site})
	}
	require.NoError(t, stuck.try(`fiber.yield()`))
	require.Positive(t, busy.Spent().Steps)
}

// A guest whose fibers wait, but not for each other only, is not deadlocked.
func TestAGuestThatSleepsIsNotDeadlocked(t *testing.T) {
	for name, program := range map[string]string{
		"the main fiber":         `fiber.sleep(0.01)`,
		"the last but one":       `local ch = fiber.chan() fiber.spawn(function() fiber.sleep(0.01) ch:send(1) end) fiber.yield() fiber.yield() ch:recv()`,
		"an alarm":               `fiber.timer(0.01):wait()`,
		"a file":                 `for _ = 1, 10 do local ch = fiber.chan() fiber.spawn(function() local ok = pcall(fs.stat, "/work") ch:send(ok) end) ch:recv() end`,
		"a lock that is held":    `local m = fiber.mutex() fiber.spawn(function() m:lock() fiber.sleep(0.01) m:unlock() end) fiber.yield() m:lock()`,
		"a call of another kind": `fiber.scope(function(s) s:spawn(fiber.sleep, 0.01) end)`,
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{}
			cfg.Access.Dirs = []sandbox.Dir{{Host: t.TempDir(), Guest: "/work"}}
			require.NoError(t, newHouse(t, timed()).served().host(cfg).try(program))
		})
	}
}

// The end of a main fiber ends the fibers of its call, and no others.
func TestACallOfAGuestEndsWithItsMainFiber(t *testing.T) {
	s := newHouse(t, spinning()).served()
	l := s.host(Config{})
	background := l.post(`while not stop do fiber.yield() end return "done"`)
	values, err := l.Run(s.ctx, strings.NewReader(`fiber.spawn(function() while true do end end) return 7, arg[1]`), "p.lua", "x")
	require.NoError(t, err)
	require.Equal(t, []glua.LValue{glua.LNumber(7), glua.LString("x")}, values)
	require.EqualValues(t, 1, l.Spent().Fibers)
	got, err := l.Call(s.ctx, compiled(t, `stop = true fiber.spawn(function() while true do end end) return {1, 2, x = {...}}`), "y")
	require.NoError(t, err)
	require.Equal(t, []any{map[any]any{1.0: 1.0, 2.0: 2.0, "x": []any{"y"}}}, got)
	got, err = background.Result(s.ctx)
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, got)
	_, err = l.Call(s.ctx, "no such function")
	require.ErrorContains(t, err, "no such function")
	require.ErrorContains(t, l.try(`error("boom", 0)`), "boom")
	_, err = l.Call(s.ctx, Limited{Func: compiled(t, `while true do end`), Quota: quota.Limits{Steps: 1000}})
	require.ErrorAs(t, err, new(*quota.Error))
	require.NoError(t, l.try(``))
}

type sharedKey struct{}

// The context of a call reaches its fibers, and its end ends them only.
func TestTheContextOfACallIsThatOfItsFibers(t *testing.T) {
	s := newHouse(t, spinning()).served()
	l, other := s.host(Config{}), s.host(Config{})
	ctx, stop := context.WithCancelCause(context.WithValue(s.ctx, sharedKey{}, "mine"))
	base := l.State().Base()
	var seen any
	var inner context.Context
	base.SetGlobal("look", base.NewFunction(func(*glua.LState) int {
		inner = l.Context()
		seen = inner.Value(sharedKey{})
		return 0
	}))
	base.SetGlobal("stop", base.NewFunction(func(*glua.LState) int { stop(errors.New("enough")); return 0 }))
	busy := other.post(`for i = 1, 1e5 do end return "done"`)
	_, err := l.Run(ctx, strings.NewReader(`look() fiber.spawn(function() stop() while true do end end) fiber.chan():recv()`), "p.lua")
	require.Equal(t, context.Canceled, err)
	require.Equal(t, "mine", seen)
	require.Error(t, inner.Err())
	_, err = busy.Result(s.ctx)
	require.NoError(t, err)
	_, err = l.Run(ctx, strings.NewReader(`look()`), "p.lua")
	require.Equal(t, context.Canceled, err)
	require.NoError(t, l.try(`look()`))
	require.Nil(t, seen)
}

// A call waits for a run of the Shared until its context ends, and has then not begun.
func TestACallWithoutARunIsWithdrawn(t *testing.T) {
	s := newHouse(t, spinning())
	l := s.host(Config{})
	ctx, stop := context.WithTimeout(s.ctx, time.Millisecond)
	defer stop()
	_, err := l.Run(ctx, strings.NewReader(`print("ran")`), "p.lua")
	require.Equal(t, context.DeadlineExceeded, err)
	require.NoError(t, s.Run(s.ctx))
	require.Empty(t, l.out.String())
}

func TestTheFailuresOfAGuestAreReportedToItsOwnHook(t *testing.T) {
	s := newHouse(t, spinning()).served()
	a, b := s.host(Config{}), s.host(Config{})
	require.NoError(t, a.try(`local t = fiber.spawn(error, "kept") fiber.yield() fiber.yield()`))
	require.NoError(t, b.try(`fiber.spawn(error, "at once") fiber.yield() fiber.yield()`))
	require.NoError(t, b.try(`fiber.spawn(error, "joined"):join()`))
	require.Equal(t, []string{"p.lua:1: kept"}, a.failed)
	require.Equal(t, []string{"p.lua:1: at once"}, b.failed)
}

// In virtual time with posted calls, two runs are the same.
func TestGuestsTakeTurnsOnOneGoroutine(t *testing.T) {
	s := newHouse(t, spinning())
	var all bytes.Buffer
	for _, name := range []string{"a", "b", "c"} {
		l := s.host(Config{})
		base := l.State().Base()
		base.SetGlobal("say", base.NewFunction(func(L *glua.LState) int {
			fmt.Fprint(&all, name, L.CheckNumber(1), " ")
			return 0
		}))
		l.post(`for i = 1, 3 do say(i) fiber.sleep(i) end`)
	}
	require.NoError(t, s.Run(s.ctx))
	require.Equal(t, "a1 b1 c1 a2 b2 c2 a3 b3 c3 ", all.String())
}

// What fiber.report says of a guest has nothing of the others.
func TestAGuestSeesNoFibersOfOthers(t *testing.T) {
	s := newHouse(t, spinning()).served()
	a, b := s.host(Config{}), s.host(Config{})
	const crossed = `
		local m, n = fiber.mutex(), fiber.mutex()
		fiber.spawn(function() m:lock() fiber.yield() n:lock() end)
		fiber.spawn(function() n:lock() fiber.yield() m:lock() end)
		for _ = 1, 5 do fiber.yield() end
		told = fiber.report()`
	require.ErrorAs(t, a.try(crossed+` fiber.chan():recv()`), new(*scheduler.DeadlockError))
	values, err := b.Call(s.ctx, compiled(t, `return fiber.report()`))
	require.NoError(t, err)
	require.Equal(t, []any{nil}, values)
	values, err = a.Call(s.ctx, compiled(t, `return told`))
	require.NoError(t, err)
	require.Contains(t, values[0], "p.lua:3")
}

func TestIslandsNeedARuntimeOfTheirOwn(t *testing.T) {
	s := newHouse(t, timed()).served()
	require.ErrorContains(t, s.host(Config{}).try(`fiber.island()`), "Config.On")
}

func TestASharedIsMisused(t *testing.T) {
	s := newHouse(t, spinning())
	cfg := Config{On: s.Shared}
	cfg.Runtime.Budget = 7
	require.PanicsWithValue(t, "fibers: Config.Runtime or IOWorkers is set beside Config.On; set them in the SharedConfig, and of Runtime only Unobserved here: rule VALID-ARGUMENT (docs/invariants.md#valid-argument)",
		func() { New(cfg) })
	l := s.host(Config{})
	require.ErrorContains(t, panicked(func() { _ = l.Serve(s.ctx) }), "Shared.Serve")
	l.Close()
	closed := NewShared(spinning())
	left := New(Config{On: closed})
	closed.Close()
	closed.Close()
	require.ErrorContains(t, panicked(func() { New(Config{On: closed}) }), "CLOSED")
	require.ErrorContains(t, panicked(func() { _ = closed.Run(s.ctx) }), "CLOSED")
	_, err := left.Call(s.ctx, "print")
	require.Equal(t, scheduler.ErrStopped, err)
	left.Close()
}

func panicked(f func()) (err error) {
	defer func() { err = fmt.Errorf("%v", recover()) }()
	f()
	return nil
}

func TestAShutdownOfAGuestLetsItFinish(t *testing.T) {
	s := newHouse(t, spinning()).served()
	a, b := s.host(Config{}), s.host(Config{})
	work := a.post(`for i = 1, 1e5 do end return "done"`)
	other := b.post(`while not stop do fiber.yield() end`)
	require.NoError(t, a.Shutdown(s.ctx))
	values, err := work.Result(s.ctx)
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, values)
	require.Equal(t, scheduler.ErrStopped, a.try(``))
	require.NoError(t, b.try(`stop = true`))
	_, err = other.Result(s.ctx)
	require.NoError(t, err)
}

// A server ends with its guest, and its address is free; a second guest serves on.
func TestTheServerOfAClosedGuestEnds(t *testing.T) {
	s := newHouse(t, timed()).served()
	serve := func() (*lodger, string) {
		l := s.host(Config{Access: sandbox.Process()})
		_, err := l.Call(s.ctx, compiled(t, `function start()
			local s = http.serve("127.0.0.1:0", function() fiber.sleep(0.001) return "hello" end)
			addr = s:addr()
			fiber.chan():recv()
		end`))
		require.NoError(t, err)
		_, err = l.Start("start")
		require.NoError(t, err)
		for {
			values, err := l.Call(s.ctx, compiled(t, `return addr`))
			require.NoError(t, err)
			if addr, ok := values[0].(string); ok {
				return l, addr
			}
		}
	}
	first, gone := serve()
	second, stays := serve()
	get := func(addr string) error { return second.try(`assert(http.get("http://` + addr + `").status == 200)`) }
	require.NoError(t, get(gone))
	first.Close()
	require.Error(t, get(gone))
	require.NoError(t, get(stays))
	polled := s.host(Config{Access: sandbox.Process()})
	require.NoError(t, polled.try(`io.open("/dev/null"):close() assert(http.get("http://`+stays+`").status == 200)`))
}

func TestAPoolMakesHostsOfAShared(t *testing.T) {
	s := newHouse(t, spinning()).served()
	pool := NewPool(PoolConfig{Ready: 2, Host: Config{On: s.Shared}})
	defer pool.Close()
	for range 5 {
		h, err := pool.Take(s.ctx)
		require.NoError(t, err)
		values, err := h.Call(s.ctx, compiled(t, `return 7`))
		require.NoError(t, err)
		require.Equal(t, []any{7.0}, values)
		h.Close()
	}
}

// Between two turns of a guest each fiber of another has one time slice at most.
func TestABusyGuestDelaysAnotherByItsTimeSlices(t *testing.T) {
	cfg := spinning()
	cfg.Runtime.Budget = 100
	s := newHouse(t, cfg)
	ctx, stop := context.WithCancel(s.ctx)
	busy, quick := s.host(Config{}), s.host(Config{})
	base := quick.State().Base()
	base.SetGlobal("stop", base.NewFunction(func(*glua.LState) int { stop(); return 0 }))
	const fibers, turns = 5, 200
	busy.post(fmt.Sprintf(`for i = 2, %d do fiber.spawn(function() ("x"):rep(1e6) while true do end end) end while true do end`, fibers))
	quick.post(fmt.Sprintf(`for i = 1, %d do fiber.yield() end stop()`, turns))
	require.Equal(t, context.Canceled, s.Run(ctx))
	require.LessOrEqual(t, busy.Spent().Steps, int64(2*fibers*(turns+2)*100)) // a function ends its step of work first
}
