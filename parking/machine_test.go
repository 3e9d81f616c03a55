package parking_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/assert"
)

var errEnough = errors.New("enough")

func TestNativeCodeWaitsWithItsGuestWhileOthersRun(t *testing.T) {
	m := newVM(t, scheduler.Config{})
	m.spawn(call([]step{sleep(10), say("first")}, []step{yield, say("second")}), say("behind the call"))
	m.spawn(say("other"), sleep(5), say("other"))
	assert.NoError(t, m.run())
	assert.Equal(t, []string{"0s other", "5ns other", "10ns first", "10ns second", "10ns behind the call"}, m.log)
}

// Each of two calls waits for what the other's fiber does after its call: nested on one stack this
// is a stack inversion.
func TestCrossingWaitsOfTwoCallsHarmNeither(t *testing.T) {
	m := newVM(t, scheduler.Config{})
	a, b := wait.NewChan[int](0), wait.NewChan[int](0)
	_, endA := m.spawn(call([]step{recv(a)}), send(b), say("a"))
	_, endB := m.spawn(call([]step{recv(b)}), say("b"))
	m.spawn(yield, send(a))
	assert.NoError(t, m.run())
	assert.NoError(t, errors.Join(*endA, *endB))
	assert.Len(t, m.log, 2)
}

func TestACalleeCallsNativeCodeOnTheSameStack(t *testing.T) {
	m := newVM(t, scheduler.Config{})
	m.spawn(call([]step{call([]step{sleep(3), call([]step{yield, say("innermost")})}), say("middle")}), say("root"))
	assert.NoError(t, m.run())
	assert.Equal(t, []string{"3ns innermost", "3ns middle", "3ns root"}, m.log)
}

// What ends a fiber in native code, at each depth, ends it as if there were no native code.
func TestAFiberEndsInNativeCodeAsItDoesElsewhere(t *testing.T) {
	forever := func(c *code) fiber.Outcome { return recv(wait.NewChan[int](0))(c) }
	fail := func(c *code) fiber.Outcome { return c.vm.Unwind().Fail(errEnough, "guest:7") }
	unreached := func(*code) fiber.Outcome { t.Error("guest code ran behind its end"); return fiber.Outcome{} }
	for depth := range 4 {
		for name, c := range map[string]struct {
			body step
			end  func(m *vm, id fiber.ID) error
			want func(err error) bool
		}{
			"fails": {fail, nil, func(err error) bool {
				var p *scheduler.PanicError
				return errors.As(err, &p) && p.Value == errEnough && p.Site == "guest:7"
			}},
			"cancelled":          {forever, func(m *vm, id fiber.ID) error { return m.Cancel(id, errEnough) }, func(err error) bool { return err == errEnough }},
			"killed":             {forever, func(m *vm, id fiber.ID) error { return m.Kill(id, errEnough) }, func(err error) bool { return errors.Is(err, scheduler.ErrKilled) && errors.Is(err, errEnough) }},
			"cancelled, running": {spin, func(m *vm, id fiber.ID) error { return m.Cancel(id, errEnough) }, func(err error) bool { return err == errEnough }},
			"killed, running":    {spin, func(m *vm, id fiber.ID) error { return m.Kill(id, errEnough) }, func(err error) bool { return errors.Is(err, scheduler.ErrKilled) }},
		} {
			m := newVM(t, scheduler.Config{})
			body := []step{c.body, unreached}
			for range depth {
				body = []step{call(body), unreached}
			}
			id, ended := m.spawn(body...)
			if c.end != nil {
				m.spawn(yield, func(*code) fiber.Outcome { assert.NoError(t, c.end(m, id.ID())); return fiber.Outcome{} })
			}
			assert.NoError(t, m.run())
			assert.True(t, c.want(*ended), "%s at depth %d: %v", name, depth, *ended)
			assert.NoError(t, m.native.Calls().Check())
		}
	}
}

// spin uses up slice after slice.
func spin(c *code) fiber.Outcome {
	c.steps = append([]step{spin}, c.steps...)
	return fiber.Outcome{Kind: fiber.TimesliceExpired}
}

// Go code that neither returns its errors nor stops is unwound, with its deferred calls.
func TestNativeCodeThatIgnoresAKillIsUnwound(t *testing.T) {
	m := newVM(t, scheduler.Config{})
	unwound, calls := false, 0
	id, ended := m.spawn(func(c *code) fiber.Outcome {
		return m.native.Run(func() fiber.Outcome {
			defer func() { unwound = true }()
			for {
				_ = m.native.Call(m.code(yield))
				calls++
			}
		})
	})
	m.spawn(yield, func(*code) fiber.Outcome { assert.NoError(t, m.Kill(id.ID(), nil)); return fiber.Outcome{} })
	assert.NoError(t, m.run())
	assert.ErrorIs(t, *ended, scheduler.ErrKilled)
	assert.True(t, unwound)
	assert.Less(t, calls, 1000)
}

func TestAGoPanicOfNativeCodeLeavesTheRunAndTheOthersGoOn(t *testing.T) {
	m := newVM(t, scheduler.Config{})
	_, ended := m.spawn(func(c *code) fiber.Outcome {
		return m.native.Run(func() fiber.Outcome {
			_ = m.native.Call(m.code(sleep(3)))
			panic("boom")
		})
	})
	m.spawn(sleep(5), say("another"))
	assert.PanicsWithValue(t, "boom", func() { _ = m.run() })
	assert.NoError(t, m.run())
	var p *scheduler.PanicError
	assert.ErrorAs(t, *ended, &p)
	assert.Equal(t, []string{"5ns another"}, m.log)
}

// As testing.T.FailNow does, also behind a wait.
func TestGoexitOfNativeCodeEndsTheOwnersGoroutine(t *testing.T) {
	m := newVM(t, scheduler.Config{})
	m.spawn(func(c *code) fiber.Outcome {
		return m.native.Run(func() fiber.Outcome {
			_ = m.native.Call(m.code(yield))
			runtime.Goexit()
			return fiber.Outcome{}
		})
	})
	returned, ended := false, make(chan struct{})
	go func() {
		defer close(ended)
		_ = m.run()
		returned = true
	}()
	<-ended
	assert.False(t, returned)
}

func TestNativeCodeWaitsItself(t *testing.T) {
	m := newVM(t, scheduler.Config{})
	m.frames = true
	body := func(c *code) fiber.Outcome {
		return m.native.Run(func() fiber.Outcome {
			assert.NoError(t, m.native.Suspend(fiber.BlockOn(fiber.Until(m.Now()+7))))
			_, result := m.Claim()
			assert.Equal(t, fiber.OK, result.Code)
			return say("native")(c)
		})
	}
	m.spawn(body, call([]step{body}))
	assert.NoError(t, m.run())
	assert.Equal(t, []string{"7ns native", "14ns native"}, m.log)
}

// The cause of a cancellation and of a kill is the error of the wait, and Fail passes it on.
func TestNativeCodeAwaitsAndPassesOnWhatEndsItsWait(t *testing.T) {
	for end, do := range map[string]func(m *vm, id fiber.ID) error{
		"":       func(*vm, fiber.ID) error { return nil },
		"cancel": func(m *vm, id fiber.ID) error { return m.Cancel(id, errEnough) },
		"kill":   func(m *vm, id fiber.ID) error { return m.Kill(id, errEnough) },
	} {
		m := newVM(t, scheduler.Config{})
		m.frames = true
		id, ended := m.spawn(func(*code) fiber.Outcome {
			return m.native.Run(func() fiber.Outcome {
				m.Arm(fiber.Until(7))
				if _, _, err := m.native.Await(); err != nil {
					return m.Unwind().Fail(err, "native")
				}
				return fiber.Outcome{}
			})
		}, say("behind"))
		m.spawn(yield, func(*code) fiber.Outcome { assert.NoError(t, do(m, id.ID())); return fiber.Outcome{} })
		assert.NoError(t, m.run())
		assert.Equal(t, end != "", errors.Is(*ended, errEnough), "%s: %v", end, *ended)
		assert.Equal(t, end == "kill", errors.Is(*ended, scheduler.ErrKilled), "%s: %v", end, *ended)
		assert.Equal(t, end == "", len(m.log) == 1, "%s: %v", end, m.log)
	}
}

func TestMisuseIsRefusedByNameWithTheSite(t *testing.T) {
	for fix, do := range map[string]func(m *vm){
		"run the native function by Run": func(m *vm) { _ = m.native.Call(m.code()) },
		"not spawned with Options.Frames": func(m *vm) {
			m.native.Run(func() fiber.Outcome { return fail(m.native.Suspend(fiber.Outcome{Kind: fiber.TimesliceExpired})) })
		},
		"return the outcome from Resume": func(m *vm) { _ = m.native.Suspend(fiber.Outcome{}) },
		"Run has no native code":         func(m *vm) { m.native.Run(nil) },
		"has no Callee":                  func(m *vm) { m.native.Run(func() fiber.Outcome { return fail(m.native.Call(nil)) }) },
	} {
		m := newVM(t, scheduler.Config{})
		m.spawn(func(*code) fiber.Outcome { do(m); return fiber.Outcome{} })
		err := func() (err error) {
			defer func() { err, _ = recover().(error) }()
			return m.run()
		}()
		assert.ErrorContains(t, err, fix)
		assert.ErrorContains(t, err, "at guest of f0.1")
	}
}

func fail(err error) fiber.Outcome { panic(err) }

// Close unwinds what is in native code, and ends every goroutine.
func TestCloseLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	m := newVM(t, scheduler.Config{})
	unwound := 0
	for range 300 {
		m.spawn(func(c *code) fiber.Outcome {
			return m.native.Run(func() fiber.Outcome {
				defer func() { unwound++ }()
				return c.vm.Unwind().Fail(m.native.Call(m.code(recv(wait.NewChan[int](0)))), "native")
			})
		})
	}
	var deadlock *scheduler.DeadlockError
	assert.ErrorAs(t, m.run(), &deadlock)
	m.native.Close()
	assert.Equal(t, 300, unwound)
	for runtime.NumGoroutine() > before { // an iter.Pull coroutine ends when it is scheduled
		runtime.Gosched()
	}
}
