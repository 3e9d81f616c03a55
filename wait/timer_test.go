package wait

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
)

func parkedTimer(f *fake, tm *Timer, id int) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(id), tm.Source())
	if err := tm.ParkWait(t); err != nil {
		f.tb.Fatalf("park %d: %v", id, err)
	}
	return t
}

func TestResetAndStopSayWhetherTheyCameBeforeItFired(t *testing.T) {
	fire := func(tm *Timer) bool { tm.Alarm().Due(tm.deadline, nil); return tm.Fired() }
	stop := func(tm *Timer) bool { return tm.Stop() }
	reset := func(tm *Timer) bool { return tm.Reset(100) }
	for name, c := range map[string]struct {
		before []func(*Timer) bool
		won    bool
	}{
		"a new one":                   {nil, false},
		"set":                         {[]func(*Timer) bool{reset}, true},
		"set twice":                   {[]func(*Timer) bool{reset, reset}, true},
		"fired":                       {[]func(*Timer) bool{reset, fire}, false},
		"stopped":                     {[]func(*Timer) bool{reset, stop}, false},
		"fired, set again":            {[]func(*Timer) bool{reset, fire, reset}, true},
		"stopped, set again":          {[]func(*Timer) bool{reset, stop, reset}, true},
		"fired, then stopped":         {[]func(*Timer) bool{reset, fire, stop}, false},
		"set to never, which is stop": {[]func(*Timer) bool{func(tm *Timer) bool { return tm.Reset(fiber.Never) }}, false},
	} {
		for _, act := range []func(*Timer) bool{stop, reset} {
			tm := new(Timer)
			for _, before := range c.before {
				before(tm)
			}
			is(t, name, act(tm), c.won)
			is(t, name+": fired", tm.Fired(), false)
		}
	}
}

func TestATimerWakesEverybodyOnceInTheOrderOfArrivalAndStaysFired(t *testing.T) {
	f, tm := newFake(t), new(Timer)
	early := parkedTimer(f, tm, 1) // before it is set at all
	tm.Reset(50)
	gone, late := parkedTimer(f, tm, 2), parkedTimer(f, tm, 3)
	f.timeout(gone)
	is(t, "woken too soon", len(tm.Alarm().Due(49, nil)), 0)
	f.woken = nil
	f.deliver(tm.Alarm().Due(51, nil)...)
	woke(t, f, fiber.OK, []fiber.Ticket{early, late})
	is(t, "woken twice", len(tm.Alarm().Due(60, nil)), 0)
	is(t, "fired", tm.Fired(), true)
	is(t, "deadline", tm.Deadline(), fiber.Never)
	is(t, "wait for a fired one", errors.Is(tm.ParkWait(f.arm(fib(4), tm.Source())), ErrReady), true)
}

func TestThoseWhoWaitGoOnWaitingWhenATimerIsSetAnewOrStopped(t *testing.T) {
	f, tm := newFake(t), new(Timer)
	tm.Reset(50)
	waits := parkedTimer(f, tm, 1)
	tm.Reset(80)
	is(t, "deadline", tm.Deadline(), 80)
	is(t, "woken at the old instant", len(tm.Alarm().Due(50, nil)), 0)
	tm.Stop()
	is(t, "deadline", tm.Deadline(), fiber.Never)
	is(t, "woken although stopped", len(tm.Alarm().Due(80, nil)), 0)
	is(t, "waits", tm.Source().Holds(waits), true)
	is(t, "report", tm.Source().(fiber.Described).Describe(), "timer (not set, waiting: 1)")
	tm.Reset(90)
	is(t, "report", tm.Source().(fiber.Described).Describe(), "timer (due at 90ns, waiting: 1)")
	f.deliver(tm.Alarm().Due(90, nil)...)
	is(t, "woken", f.claim(waits).Code, fiber.OK)
	tm.SetName("tea")
	is(t, "report", tm.Source().(fiber.Described).Describe(), `timer "tea" (fired, waiting: 0)`)
	is(t, "holders", len(tm.Source().(fiber.Described).Holders(nil)), 0)
}

func TestATimerIsACaseThatIsReadyOnceItHasFired(t *testing.T) {
	f, tm, ch := newFake(t), new(Timer), NewChan[int](0)
	s := NewSelect(RecvFrom(ch), tm, (*Timer)(nil))
	tm.Reset(10)
	_, _, ok := s.Poll(nil)
	is(t, "ready before it fired", ok, false)
	tk := parkedSelect(f, s, 1)
	f.deliver(tm.Alarm().Due(10, nil)...)
	i, ok := s.Collect(tk, f.claim(tk))
	is(t, "case", i, 1)
	is(t, "chosen", ok, true)
	is(t, "still registered with the channel", ch.Source().Holds(tk), false)

	i, w, ok := s.Poll(nil)
	is(t, "ready", ok && i == 1 && w.IsZero(), true)
	is(t, "park although ready", errors.Is(s.Park(f.arm(fib(2), s.Sources(nil)...)), ErrReady), true)
	is(t, "sources", len(s.Sources(nil)), 2)
	is(t, "a nil one", (*Timer)(nil).Case().Ready(), false)
}

func TestATimerOfAnotherSchedulerIsRefused(t *testing.T) {
	f, tm := newFake(t), new(Timer)
	parkedTimer(f, tm, 1)
	other := fiber.Ticket{ID: fib(1), Seq: fiber.NewSeq(7, 1)}
	is(t, "foreign ticket", errors.Is(tm.ParkWait(other), ErrForeign), true)
	is(t, "foreign scheduler", belongs(tm, 7), false)
	is(t, "its own", belongs(tm, f.number), true)
	is(t, "rule", broken(func() { tm.Case().Park(fiber.Ticket{}, 0) }).Rule.String(), "I11")
}

// With the 40 bytes of its place in the scheduler's tables and the 32 of its entry in
// the wheel, a million timers that are set take less than 256 MB.
func TestATimerTakesThreeCacheLines(t *testing.T) {
	if n := unsafe.Sizeof(Timer{}); n > 184 {
		t.Errorf("a timer takes %d bytes", n)
	}
}

// A Stop clears what Fired reports, as another setting does, and so does not come before it twice.
func TestAStoppedTimerHasNotFired(t *testing.T) {
	var tm Timer
	tm.Reset(5)
	tm.Alarm().Due(5, nil)
	is(t, "fired", tm.Fired(), true)
	is(t, "stopped in time", tm.Stop(), false)
	is(t, "fired after Stop", tm.Fired(), false)
	is(t, "stopped again in time", tm.Stop(), false)
	tm.Reset(9)
	is(t, "stopped in time", tm.Stop(), true)
	is(t, "stopped again in time", tm.Stop(), false)
}
