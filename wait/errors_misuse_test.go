package wait

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// yard is one of each object in each state that a caller could misuse, all of scheduler
// 0. Two of them are alike, so that what a misuse has changed in one is seen.
type yard struct {
	room, full, closed     *Chan[int]
	held, free, poisoned   *Mutex
	read, written, spoiled *RWMutex
	permits                *Semaphore
	cond                   *Cond
	run, done, failed      *Once
	open, ended            *ioqueue.Cell
	set, fired             *Timer
}

func newYard(t *testing.T) *yard {
	y := &yard{
		room: NewChan[int](1), full: NewChan[int](1), closed: NewChan[int](1),
		held: new(Mutex), free: new(Mutex), poisoned: new(Mutex),
		read: new(RWMutex), written: new(RWMutex), spoiled: new(RWMutex),
		permits: NewSemaphore(3), run: new(Once), done: new(Once), failed: NewOnce(Poison),
		open: new(ioqueue.Cell), ended: new(ioqueue.Cell), set: new(Timer), fired: new(Timer),
	}
	y.cond = NewCond(y.held)
	for name, o := range map[string]interface {
		SetName(string)
		Source() fiber.Source
	}{
		"room": y.room, "full": y.full, "closed": y.closed, "held": y.held, "free": y.free, "poisoned": y.poisoned,
		"read": y.read, "written": y.written, "spoiled": y.spoiled, "permits": y.permits, "cond": y.cond,
		"run": y.run, "done": y.done, "failed": y.failed, "set": y.set, "fired": y.fired,
	} {
		o.SetName(name)
		belongs(o, 0)
	}
	y.open.Source().Anchored().Bind(0, 0)
	y.ended.Source().Anchored().Bind(0, 0)
	y.open.SetOwner(fib(1))
	y.ended.SetOwner(fib(1))
	_, err := y.ended.Complete(7, nil, nil)
	mustAll(t, err, second(y.full.TrySend(1)), second(y.closed.TrySend(1)), errOf(y.closed.Close(nil)),
		errOf(y.held.TryLock(fib(1))), errOf(y.poisoned.TryLock(fib(1))),
		errOf(y.read.TryRLock(fib(1))), errOf(y.written.TryLock(fib(1))), errOf(y.spoiled.TryLock(fib(1))),
		errOf(y.permits.TryAcquire(fib(1), 2)),
		third(y.run.TryRun(fib(1))), third(y.done.TryRun(fib(1))), third(y.failed.TryRun(fib(1))),
		errOf(y.done.Finish(fib(1), nil)), errOf(y.failed.Fail(fib(1), nil)))
	y.poisoned.OwnerHook().OwnerDied(fib(1), nil)
	y.spoiled.OwnerHook().OwnerDied(fib(1), nil)
	y.set.Reset(100)
	y.fired.Reset(100)
	y.fired.Alarm().Due(100, nil)
	return y
}

func mustAll(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func errOf[T any](_ T, err error) error                { return err }
func second[T any](_ bool, _ T, err error) error       { return err }
func third[T, U any](_ T, _ U, err error) error        { return err }
func here(id int) fiber.Ticket                         { return fiber.Ticket{ID: fib(id), Seq: 50} }
func elsewhere(id int) fiber.Ticket                    { return fiber.Ticket{ID: fib(id), Seq: fiber.NewSeq(9, 50)} }
func (y *yard) join(c *ioqueue.Cell, self int) Join    { j, _ := JoinOn(c, fib(self)); return j }
func (y *yard) choice(c Case) *Select                  { return NewSelect(RecvFrom(y.room), c) }
func (y *yard) group(c *ioqueue.Cell, self int) *Group { return newGroup(All, y.join(c, self)) }

// kept is the error of a call that is given wakes and must give back the same.
func kept(call func(dst []fiber.Wakeup) ([]fiber.Wakeup, error)) error {
	before := []fiber.Wakeup{{Ticket: here(3)}}
	if after, err := call(before); len(after) != 1 || after[0] != before[0] {
		return fmt.Errorf("dst was changed to %v (%w)", after, err)
	} else {
		return err
	}
}

// misuse is one thing that a program can do wrong: the error names operation, object and
// reason.
type misuse struct {
	op, object string
	why        error
	do         func(y *yard) error
}

var misuses = []misuse{
	{"send", `chan "closed"`, ErrClosed, func(y *yard) error { _, _, err := y.closed.TrySend(1); return err }},
	{"send", `chan "closed"`, ErrClosed, func(y *yard) error { return y.closed.Err() }},
	{"close", `chan "closed"`, ErrClosed, func(y *yard) error { return kept(y.closed.Close) }},
	{"close", `nil chan`, ErrNilChan, func(*yard) error { return kept((*Chan[int])(nil).Close) }},
	{"send", `chan "closed"`, ErrReady, func(y *yard) error { return y.closed.ParkSend(here(2), 1, 0) }},
	{"receive", `chan "closed"`, ErrReady, func(y *yard) error { return y.closed.ParkRecv(here(2), 0) }},
	{"send", `chan "room"`, ErrReady, func(y *yard) error { return y.room.ParkSend(here(2), 1, 0) }},
	{"receive", `chan "full"`, ErrReady, func(y *yard) error { return y.full.ParkRecv(here(2), 0) }},
	{"receive", `chan "full"`, ErrReady, func(y *yard) error { return y.choice(RecvFrom(y.full)).Park(here(2)) }},

	{"lock", `mutex "held"`, ErrDoubleLock, func(y *yard) error { return errOf(y.held.TryLock(fib(1))) }},
	{"lock", `mutex "held"`, ErrDoubleLock, func(y *yard) error { return y.held.ParkLock(here(1), fib(1)) }},
	{"lock", `mutex "free"`, ErrReady, func(y *yard) error { return y.free.ParkLock(here(1), fib(1)) }},
	{"lock", `mutex "poisoned"`, ErrPoisoned, func(y *yard) error { return errOf(y.poisoned.TryLock(fib(2))) }},
	{"lock", `mutex "poisoned"`, ErrPoisoned, func(y *yard) error { return y.poisoned.ParkLock(here(2), fib(2)) }},
	{"lock", `mutex "poisoned"`, ErrPoisoned, func(y *yard) error { return y.poisoned.Err() }},
	{"unlock", `mutex "held"`, ErrNotOwner, func(y *yard) error { return errOf(y.held.Unlock(fib(2))) }},
	{"unlock", `mutex "held"`, ErrNotOwner, func(y *yard) error { return errOf(y.held.Unlock(0)) }},
	{"unlock", `mutex "free"`, ErrNotOwner, func(y *yard) error { return errOf(y.free.Unlock(fib(1))) }},
	{"unlock", `mutex "poisoned"`, ErrNotOwner, func(y *yard) error { return errOf(y.poisoned.Unlock(fib(1))) }},

	{"lock", `rwmutex "written"`, ErrDoubleLock, func(y *yard) error { return errOf(y.written.TryLock(fib(1))) }},
	{"read lock", `rwmutex "written"`, ErrDoubleLock, func(y *yard) error { return errOf(y.written.TryRLock(fib(1))) }},
	{"lock", `rwmutex "read"`, ErrDoubleLock, func(y *yard) error { return y.read.ParkLock(here(1), fib(1)) }},
	{"read lock", `rwmutex "read"`, ErrDoubleLock, func(y *yard) error { return errOf(y.read.TryRLock(fib(1))) }},
	{"read lock", `rwmutex "read"`, ErrReady, func(y *yard) error { return y.read.ParkRLock(here(2), fib(2)) }},
	{"lock", `rwmutex "spoiled"`, ErrPoisoned, func(y *yard) error { return errOf(y.spoiled.TryLock(fib(2))) }},
	{"read lock", `rwmutex "spoiled"`, ErrPoisoned, func(y *yard) error { return y.spoiled.ParkRLock(here(2), fib(2)) }},
	{"lock", `rwmutex "spoiled"`, ErrPoisoned, func(y *yard) error { return y.spoiled.Err() }},
	{"unlock", `rwmutex "written"`, ErrNotOwner, func(y *yard) error {
		return kept(func(dst []fiber.Wakeup) ([]fiber.Wakeup, error) { return y.written.Unlock(fib(2), dst) })
	}},
	{"unlock", `rwmutex "read"`, ErrNotOwner, func(y *yard) error { return errOf(y.read.Unlock(fib(1), nil)) }},
	{"read unlock", `rwmutex "written"`, ErrNotOwner, func(y *yard) error {
		return kept(func(dst []fiber.Wakeup) ([]fiber.Wakeup, error) { return y.written.RUnlock(fib(1), dst) })
	}},
	{"read unlock", `rwmutex "read"`, ErrNotOwner, func(y *yard) error { return errOf(y.read.RUnlock(fib(2), nil)) }},

	{"acquire", `semaphore "permits"`, ErrPermits, func(y *yard) error { return errOf(y.permits.TryAcquire(fib(2), 0)) }},
	{"acquire", `semaphore "permits"`, ErrPermits, func(y *yard) error { return errOf(y.permits.TryAcquire(fib(2), 4)) }},
	{"acquire", `semaphore "permits"`, ErrPermits, func(y *yard) error { return y.permits.ParkAcquire(here(2), fib(2), -1) }},
	{"acquire", `semaphore "permits"`, ErrReady, func(y *yard) error { return y.permits.ParkAcquire(here(2), fib(2), 1) }},
	{"release", `semaphore "permits"`, ErrNotOwner, func(y *yard) error {
		return kept(func(dst []fiber.Wakeup) ([]fiber.Wakeup, error) { return y.permits.Release(fib(1), 3, dst) })
	}},
	{"release", `semaphore "permits"`, ErrNotOwner, func(y *yard) error { return errOf(y.permits.Release(fib(2), 1, nil)) }},
	{"release", `semaphore "permits"`, ErrPermits, func(y *yard) error { return errOf(y.permits.Release(fib(1), -1, nil)) }},

	{"wait", `cond "cond"`, ErrNotOwner, func(y *yard) error { return errOf(y.cond.ParkWait(here(2), fib(2))) }},
	{"wait", `cond "cond"`, ErrNotOwner, func(y *yard) error { return errOf(y.cond.ParkWait(here(2), 0)) }},

	{"run", `once "run"`, ErrReentered, func(y *yard) error { return third(y.run.TryRun(fib(1))) }},
	{"run", `once "run"`, ErrReentered, func(y *yard) error { return y.run.ParkRun(here(1), fib(1)) }},
	{"run", `once "done"`, ErrReady, func(y *yard) error { return y.done.ParkRun(here(2), fib(2)) }},
	{"run", `once "failed"`, ErrRunFailed, func(y *yard) error { return third(y.failed.TryRun(fib(2))) }},
	{"run", `once "failed"`, ErrRunFailed, func(y *yard) error { return y.failed.ParkRun(here(2), fib(2)) }},
	{"run", `once "failed"`, ErrRunFailed, func(y *yard) error { return y.failed.Err() }},
	{"finish", `once "run"`, ErrNotOwner, func(y *yard) error {
		return kept(func(dst []fiber.Wakeup) ([]fiber.Wakeup, error) { return y.run.Finish(fib(2), dst) })
	}},
	{"fail", `once "run"`, ErrNotOwner, func(y *yard) error {
		return kept(func(dst []fiber.Wakeup) ([]fiber.Wakeup, error) { return y.run.Fail(0, dst) })
	}},
	{"finish", `once "done"`, ErrNotOwner, func(y *yard) error { return errOf(y.done.Finish(fib(1), nil)) }},

	{"join", "the end of f1.1", ErrSelfJoin, func(y *yard) error { return errOf(JoinOn(y.open, fib(1))) }},
	{"join", "the end of f1.1", ErrReady, func(y *yard) error { return y.join(y.ended, 2).ParkJoin(here(2), 0) }},
	{"join", "the end of f1.1", ErrReady, func(y *yard) error { return y.choice(y.join(y.ended, 2)).Park(here(2)) }},
	{"join", "the end of f1.1", ErrReady, func(y *yard) error { return y.group(y.ended, 2).Park(here(2)) }},
	{"join", "group of 0", ErrReady, func(*yard) error { return new(Group).Park(here(2)) }},

	{"wait", `timer "fired"`, ErrReady, func(y *yard) error { return y.fired.ParkWait(here(2)) }},
	{"wait", `timer "fired"`, ErrReady, func(y *yard) error { return y.choice(y.fired).Park(here(2)) }},
}

// foreigners are fibers of another scheduler who use what is not theirs. A fiber has the
// same ID there as one of the owners here.
var foreigners = []misuse{
	{"send", `chan "full"`, ErrForeign, func(y *yard) error { return y.full.ParkSend(elsewhere(1), 1, 0) }},
	{"receive", `chan "room"`, ErrForeign, func(y *yard) error { return y.room.ParkRecv(elsewhere(1), 0) }},
	{"receive", `chan "room"`, ErrForeign, func(y *yard) error { return y.choice(SendTo(y.full, 1)).Park(elsewhere(1)) }},
	{"lock", `mutex "held"`, ErrForeign, func(y *yard) error { return y.held.ParkLock(elsewhere(1), fib(1)) }},
	{"lock", `rwmutex "read"`, ErrForeign, func(y *yard) error { return y.read.ParkLock(elsewhere(2), fib(2)) }},
	{"read lock", `rwmutex "written"`, ErrForeign, func(y *yard) error { return y.written.ParkRLock(elsewhere(2), fib(2)) }},
	{"acquire", `semaphore "permits"`, ErrForeign, func(y *yard) error { return y.permits.ParkAcquire(elsewhere(2), fib(2), 2) }},
	{"wait", `cond "cond"`, ErrForeign, func(y *yard) error { return errOf(y.cond.ParkWait(elsewhere(1), fib(1))) }},
	{"run", `once "run"`, ErrForeign, func(y *yard) error { return y.run.ParkRun(elsewhere(2), fib(2)) }},
	{"join", "the end of f1.1", ErrForeign, func(y *yard) error { return y.join(y.open, 2).ParkJoin(elsewhere(2), 0) }},
	{"join", "the end of f1.1", ErrForeign, func(y *yard) error { return y.group(y.open, 2).Park(elsewhere(2)) }},
	{"wait", `timer "set"`, ErrForeign, func(y *yard) error { return y.set.ParkWait(elsewhere(2)) }},
}

func TestMisuseIsATypedErrorThatNamesTheObjectAndChangesNothing(t *testing.T) {
	refuseAll(t, misuses)
}

func TestWhatBelongsToOneSchedulerIsRefusedToAnother(t *testing.T) { refuseAll(t, foreigners) }

func TestWhatBelongsToASchedulerIsAdmittedThere(t *testing.T) {
	y := newYard(t)
	for name, o := range map[string]interface{ Source() fiber.Source }{
		"chan": y.room, "mutex": y.held, "rwmutex": y.read, "semaphore": y.permits, "cond": y.cond,
		"once": y.run, "timer": y.set,
	} {
		is(t, name, belongs(o, 0), true)
	}
	for name, o := range map[string]interface{ Source() fiber.Source }{
		"chan": NewChan[int](0), "mutex": new(Mutex), "rwmutex": new(RWMutex), "semaphore": new(Semaphore),
		"cond": NewCond(new(Mutex)), "once": new(Once), "timer": new(Timer),
	} {
		is(t, "a new "+name, belongs(o, 9), true) // the first that asks has it
		is(t, "a new "+name+" refuses another", belongs(o, 0), false)
	}
}

func refuseAll(t *testing.T, table []misuse) {
	for i, m := range table {
		t.Run(fmt.Sprintf("%d: %s %s", i, m.op, m.object), func(t *testing.T) {
			y, twin := newYard(t), newYard(t)
			err := m.do(y)
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, m.why) {
				t.Fatalf("got %v, want %v", err, m.why)
			}
			is(t, "operation", e.Op, m.op)
			if m.op == "use" { // nothing has been tried yet
				is(t, "owner", e.Owner, 0)
				is(t, "by", e.By, 0)
			}
			if e.Owner != 0 && e.Owner != fib(1) || e.By != 0 && e.By != fib(1) && e.By != fib(2) {
				t.Errorf("it names a fiber that never was: %v", e)
			}
			if e.Object != m.object || !strings.Contains(e.Error(), m.op+": "+m.object+": ") {
				t.Errorf("it names %s: %v", e.Object, e)
			}
			if !reflect.DeepEqual(y, twin) {
				t.Errorf("the refusal changed something:\n%+v\n%+v", y, twin)
			}
		})
	}
}

// breaches are what only a host can do wrong, and only by mistake.
var breaches = []struct {
	op, object string
	do         func(y *yard)
}{
	{"make", "chan", func(*yard) { NewChan[int](-1) }},
	{"make", "semaphore", func(*yard) { NewSemaphore(-1) }},
	{"make", "cond", func(*yard) { NewCond(nil) }},
	{"wait", "cond", func(*yard) { _, _ = new(Cond).ParkWait(here(1), fib(1)) }},
	{"join", "no cell", func(*yard) { _, _ = JoinOn(nil, fib(1)) }},
	{"poll", "select", func(y *yard) { NewSelect(RecvFrom(y.full), RecvFrom(y.closed)).Poll(nil) }},
	{"lock", `mutex "free"`, func(y *yard) { _, _ = y.free.TryLock(0) }},
	{"read lock", `rwmutex "read"`, func(y *yard) { _, _ = y.read.TryRLock(0) }},
	{"acquire", `semaphore "permits"`, func(y *yard) { _, _ = y.permits.TryAcquire(0, 1) }},
	{"run", `once "failed"`, func(y *yard) { _, _, _ = y.failed.TryRun(0) }},
	{"run", `once "done"`, func(y *yard) { _ = y.done.ParkRun(here(1), 0) }},
	{"run", `once "run"`, func(y *yard) { _ = y.run.ParkRun(here(1), 0) }},
	{"send", `chan "full"`, func(y *yard) { _ = y.full.ParkSend(fiber.Ticket{}, 1, 0) }},
	{"receive", `chan "room"`, func(y *yard) { _ = y.room.ParkRecv(fiber.Ticket{}, 0) }},
	{"lock", `mutex "held"`, func(y *yard) { _ = y.held.ParkLock(fiber.Ticket{}, fib(2)) }},
	{"lock", `mutex "held"`, func(y *yard) { _ = y.held.ParkLock(here(1), 0) }},
	{"lock", `rwmutex "read"`, func(y *yard) { _ = y.read.ParkLock(fiber.Ticket{}, fib(2)) }},
	{"acquire", `semaphore "permits"`, func(y *yard) { _ = y.permits.ParkAcquire(fiber.Ticket{}, fib(2), 2) }},
	{"wait", `cond "cond"`, func(y *yard) { _, _ = y.cond.ParkWait(fiber.Ticket{}, fib(1)) }},
	{"run", `once "run"`, func(y *yard) { _ = y.run.ParkRun(fiber.Ticket{}, fib(2)) }},
	{"join", "the end of f1.1", func(y *yard) { _ = y.join(y.open, 2).ParkJoin(fiber.Ticket{}, 0) }},
	{"wait", `timer "set"`, func(y *yard) { _ = y.set.ParkWait(fiber.Ticket{}) }},
}

func TestABrokenContractNamesTheObjectAndTheFixAndChangesNothing(t *testing.T) {
	for i, b := range breaches {
		t.Run(fmt.Sprintf("%d: %s %s", i, b.op, b.object), func(t *testing.T) {
			y, twin := newYard(t), newYard(t)
			e := broken(func() { b.do(y) })
			if e == nil || e.Op != b.op || e.Object != b.object || e.Rule == 0 || e.Fix == "" {
				t.Fatalf("got %v", e)
			}
			if !reflect.DeepEqual(y, twin) {
				t.Errorf("the refusal changed something:\n%+v\n%+v", y, twin)
			}
		})
	}
}
