package wait

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func running(t *testing.T, o *Once, id int) {
	t.Helper()
	if run, done, err := o.TryRun(fib(id)); !run || done || err != nil {
		t.Fatalf("fiber %d asks for the turn: %v %v %v", id, run, done, err)
	}
}

func parkedRun(f *fake, o *Once, id int) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(id), o)
	if err := o.ParkRun(t, fib(id)); err != nil {
		f.tb.Fatalf("park %d: %v", id, err)
	}
	return t
}

func ending(f *fake, end func(fiber.ID, []fiber.Wakeup) ([]fiber.Wakeup, error), id int) {
	f.tb.Helper()
	wakes, err := end(fib(id), nil)
	if err != nil {
		f.tb.Fatalf("fiber %d: %v", id, err)
	}
	f.deliver(wakes...)
}

func TestOneRunsAndTheOthersWaitUntilItIsDone(t *testing.T) {
	f, o := newFake(t), new(Once)
	running(t, o, 1)
	run, done, err := o.TryRun(fib(2))
	is(t, "a second run", run || done || err != nil, false)
	a, b := parkedRun(f, o, 2), parkedRun(f, o, 3)
	is(t, "waiting", o.Waiting(), 2)
	ending(f, o.Finish, 1)
	woke(t, f, fiber.OK, []fiber.Ticket{a, b})
	is(t, "waiting", o.Waiting(), 0)
	is(t, "its turn", o.Collect(a) || o.Collect(b), false)
	run, done, err = o.TryRun(fib(4))
	is(t, "run again", run || err != nil, false)
	is(t, "done", done && o.Done(), true)
	_, err = o.Finish(fib(1), nil)
	is(t, "finished twice", errors.Is(err, ErrNotRunner), true)
}

func TestTheNextWaiterRunsItIfTheRunFails(t *testing.T) {
	f, o := newFake(t), new(Once)
	running(t, o, 1)
	gone, next, last := parkedRun(f, o, 2), parkedRun(f, o, 3), parkedRun(f, o, 4)
	f.timeout(gone)
	ending(f, o.Fail, 1)
	woke(t, f, fiber.OK, []fiber.Ticket{next}, last)
	is(t, "runner", o.Runner(), fib(3))
	is(t, "its turn", o.Collect(next), true)
	is(t, "its turn twice", o.Collect(next), false)
	f.deliver(o.OwnerDied(fib(3), nil)...)
	woke(t, f, fiber.OK, []fiber.Ticket{last})
	f.die(parkedRun(f, o, 5))
	ending(f, o.Fail, 4)
	is(t, "runner", o.Runner(), 0)
	running(t, o, 6)
}

func TestARunnerThatDiesBeforeItRanHandsItsTurnOn(t *testing.T) {
	f, o := newFake(t), new(Once)
	running(t, o, 1)
	dying, next := parkedRun(f, o, 2), parkedRun(f, o, 3)
	ending(f, o.Fail, 1)
	f.die(dying)
	woke(t, f, fiber.OK, []fiber.Ticket{next})
	is(t, "told again", len(o.OwnerDied(fib(2), nil)), 0)
	is(t, "told of nobody", len(o.OwnerDied(0, nil)), 0)
	is(t, "runner", o.Runner(), fib(3))
}

func TestWithPoisonThereIsOneAttempt(t *testing.T) {
	for name, end := range map[string]func(*fake, *Once){
		"failure": func(f *fake, o *Once) { ending(f, o.Fail, 1) },
		"death":   func(f *fake, o *Once) { f.deliver(o.OwnerDied(fib(1), nil)...) },
	} {
		t.Run(name, func(t *testing.T) {
			f, o := newFake(t), NewOnce(Poison)
			running(t, o, 1)
			a, b := parkedRun(f, o, 2), parkedRun(f, o, 3)
			end(f, o)
			woke(t, f, fiber.Failed, []fiber.Ticket{a, b})
			is(t, "told of nobody's death", len(o.OwnerDied(0, nil)), 0) // which repairs nothing
			_, _, err := o.TryRun(fib(4))
			for _, err := range []error{err, o.Err(), o.ParkRun(f.arm(fib(4)), fib(4))} {
				var e *Error
				if !errors.Is(err, ErrRunFailed) || !errors.As(err, &e) || e.Owner != fib(1) {
					t.Errorf("got %v, want ErrRunFailed by fiber 1", err)
				}
			}
			is(t, "repaired", o.Repair(), true)
			is(t, "repaired again", o.Repair(), false)
			is(t, "err", o.Err(), nil)
			running(t, o, 4)
		})
	}
}

func TestMisuseOfAOnceIsATypedErrorThatNamesObjectAndRunner(t *testing.T) {
	f, o := newFake(t), new(Once)
	o.SetName("config")
	_ = o.Admit(0)
	away := newFake(t)
	away.number = 3
	_, finish := o.Finish(fib(1), nil)
	_, nobody := o.Fail(0, nil)
	fresh := o.ParkRun(f.arm(fib(1)), fib(1))
	running(t, o, 1)
	run, over, again := o.TryRun(fib(1))
	is(t, "a refused run goes on, or is over", run || over, false)
	_, stranger := o.Fail(fib(2), nil)
	foreign := o.ParkRun(away.arm(fib(2)), fib(2))
	parkAgain := o.ParkRun(f.arm(fib(1)), fib(1))
	ending(f, o.Finish, 1)
	done := o.ParkRun(f.arm(fib(2)), fib(2))
	for _, c := range []struct {
		err, is   error
		owner, by fiber.ID
	}{
		{finish, ErrNotRunner, 0, fib(1)},
		{nobody, ErrNotRunner, 0, 0},
		{fresh, ErrReady, 0, fib(1)},
		{again, ErrReentered, fib(1), fib(1)},
		{parkAgain, ErrReentered, fib(1), fib(1)},
		{stranger, ErrNotRunner, fib(1), fib(2)},
		{foreign, ErrForeign, 0, fib(2)},
		{done, ErrReady, 0, fib(2)},
		{o.Admit(3), ErrForeign, 0, 0},
	} {
		var e *Error
		if !errors.As(c.err, &e) {
			t.Errorf("got %v, want %v", c.err, c.is)
			continue
		}
		got := *e
		got.Op = ""
		is(t, "error", got, Error{Object: `once "config"`, Owner: c.owner, By: c.by, Err: c.is})
	}
	if e := broken(func() { _, _, _ = new(Once).TryRun(0) }); e == nil || e.Rule.String() != "I12" {
		t.Errorf("a run by nobody: got %v", e)
	}
}

func TestReportsNameTheRunner(t *testing.T) {
	f, o := newFake(t), NewOnce(Poison)
	is(t, "fresh", o.Describe(), "once (not run, waiting: 0)")
	is(t, "holders", len(o.Holders(nil)), 0)
	running(t, o, 1)
	parkedRun(f, o, 2)
	is(t, "running", o.Describe(), "once (run by f1.1, waiting: 1)")
	if got := o.Holders(nil); !slices.Equal(got, []fiber.ID{fib(1)}) {
		t.Errorf("holders %v", got)
	}
	ending(f, o.Fail, 1)
	is(t, "failed", o.Describe(), "once (failed by f1.1, waiting: 0)")
	o.Repair()
	running(t, o, 3)
	ending(f, o.Finish, 3)
	is(t, "done", o.Describe(), "once (done, waiting: 0)")
}
