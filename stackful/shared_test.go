package stackful

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// shared is what the fibers of a world share besides channels and mutexes.
type shared struct {
	rw    *wait.RWMutex
	sem   *wait.Semaphore
	conds []*wait.Cond // one for each lock
	once  *wait.Once
	timer *wait.Timer
	done  int // how many runs of the once have ended well
}

func newShared(p program, locks []*wait.Mutex) (s shared) {
	s.rw, s.sem, s.once = wait.NewRWMutex(p.policies[0]), wait.NewSemaphore(p.permits), wait.NewOnce(p.policies[0])
	s.timer = new(wait.Timer)
	for _, m := range locks {
		s.conds = append(s.conds, wait.NewCond(m))
	}
	return s
}

// checkShared is what holds between any two slices.
func (w *world) checkShared() {
	for _, x := range []fiber.Described{w.rw.Source().(fiber.Described), w.sem.Source().(fiber.Described), w.once.Source().(fiber.Described)} {
		for _, id := range x.Holders(nil) {
			if w.sched.Inspect().State(id) == fiber.Dead {
				w.complain("%s: %v is dead", x.Describe(), id)
			}
		}
	}
	if w.rw.Source().(interface{ Waiting() int }).Waiting() > 0 && w.rw.Writer() == 0 && w.rw.Readers() == 0 || w.once.Source().(interface{ Waiting() int }).Waiting() > 0 && w.once.Runner() == 0 {
		w.complain("%s, %s: could go on", w.rw.Source().(fiber.Described).Describe(), w.once.Source().(fiber.Described).Describe())
	}
	if w.timer.Fired() && w.timer.Source().(interface{ Waiting() int }).Waiting() > 0 {
		w.complain("%s", w.timer.Source().(fiber.Described).Describe())
	}
}

// settleShared closes the books when every fiber is dead.
func (w *world) settleShared() {
	if w.rw.Source().(interface{ Waiting() int }).Waiting()+w.rw.Readers() > 0 || w.rw.Writer() != 0 {
		w.complain("left over: %s", w.rw.Source().(fiber.Described).Describe())
	}
	if w.sem.Free() != w.sem.Size() || w.sem.Source().(interface{ Waiting() int }).Waiting() > 0 {
		w.complain("left over: %s", w.sem.Source().(fiber.Described).Describe())
	}
	if w.once.Runner() != 0 || w.once.Source().(interface{ Waiting() int }).Waiting() > 0 || w.done > 1 || (w.done == 1) != w.once.Done() {
		w.complain("left over: %s, done %d times", w.once.Source().(fiber.Described).Describe(), w.done)
	}
	if w.timer.Source().(interface{ Waiting() int }).Waiting() > 0 {
		w.complain("left over: %s", w.timer.Source().(fiber.Described).Describe())
	}
	for _, c := range w.conds {
		if c.Source().(interface{ Waiting() int }).Waiting() > 0 {
			w.complain("left over: %s", c.Source().(fiber.Described).Describe())
		}
	}
}

// share is a step of an actor with one of these.
func (a *actor) share(o op) (string, error) {
	n := int64(o.obj%4 + 1)
	switch o.verb {
	case "write":
		return "", a.alone(o)
	case "read":
		err := a.f.RLockUntil(a.rw, a.by(o))
		if err == nil && a.rw.Writer() != 0 {
			a.complain("fiber %d reads beside a writer", a.n)
		}
		return "", err
	case "write unlock":
		return "", a.f.Unlock(a.rw)
	case "read unlock":
		return "", a.f.RUnlock(a.rw)
	case "acquire":
		held := a.sem.Held(a.f.ID())
		err := a.f.AcquireUntil(a.sem, n, a.by(o))
		if got := a.sem.Held(a.f.ID()) - held; (err == nil) != (got == n) && !a.f.rt.sched.Unwind().KillPending(a.f.ID()) {
			a.complain("fiber %d acquired %d for %d: %v", a.n, got, n, err)
		}
		return "", err
	case "release":
		return "", a.f.Release(a.sem, n)
	case "wait":
		return a.await(o)
	case "signal":
		return "", a.f.Signal(a.conds[o.obj%len(a.conds)])
	case "broadcast":
		return "", a.f.Broadcast(a.conds[o.obj%len(a.conds)])
	case "do":
		return a.runOnce(o)
	case "set timer":
		won, err := a.f.ResetTimer(a.timer, a.f.Within(o.d))
		return fmt.Sprint("in time ", won), err
	case "stop timer":
		won, err := a.f.StopTimer(a.timer)
		return fmt.Sprint("in time ", won), err
	case "timer":
		err := a.f.WaitTimerUntil(a.timer, a.by(o))
		if err == nil {
			return "fired", nil
		}
		return "", err
	}
	return a.group(o)
}

func (a *actor) alone(o op) error {
	err := a.f.LockUntil(a.rw, a.by(o))
	if err == nil && (a.rw.Writer() != a.f.ID() || a.rw.Readers() > 0) {
		a.complain("fiber %d writes: %s", a.n, a.rw.Source().(fiber.Described).Describe())
	}
	return err
}

// await waits for a signal: meanwhile it does not have the lock, then it has it again
// unless it was killed or the lock is poisoned.
func (a *actor) await(o op) (string, error) {
	n := o.obj % len(a.locks)
	if o.obj%3 > 0 { // else it may be one that does not have the lock
		if err := a.lock(n, a.by(o)); err != nil && !errors.Is(err, wait.ErrDoubleLock) {
			return "", err
		}
	}
	had := a.holder[n] == a.n
	if had && !a.doomed {
		a.holder[n] = -1
	}
	err := a.f.WaitUntil(a.conds[n], a.by(o))
	switch mine := a.locks[n].Owner() == a.f.ID(); {
	case a.f.rt.sched.Unwind().KillPending(a.f.ID()):
	case had && mine == (a.locks[n].Err() != nil):
		a.complain("fiber %d waited for lock %d and ended with %v: %s", a.n, n, err, a.locks[n].Source().(fiber.Described).Describe())
	case mine:
		a.holder[n] = a.n
	}
	if err == nil {
		return "signaled", nil
	}
	return "", err
}

// runOnce has it run: the run waits, and then ends well or not.
func (a *actor) runOnce(o op) (string, error) {
	how := "done by another"
	err := a.f.DoUntil(a.once, func() error {
		how = "ran it"
		if err := a.f.Yield(); err != nil {
			return err
		}
		if o.obj%2 == 0 {
			return fmt.Errorf("a run of fiber %d that failed", a.n)
		}
		a.done++
		return nil
	}, a.by(o))
	if err == nil && !a.once.Done() {
		a.complain("fiber %d thinks it is done: %s", a.n, a.once.Source().(fiber.Described).Describe())
	}
	return how, err
}

// group waits for two of the fibers as one.
func (a *actor) group(o op) (string, error) {
	var g Group
	goal := wait.Goal(o.obj % 3)
	for i := range 2 {
		a.mustNot(g.Add(a.f, a.tasks[(o.obj+i)%len(a.tasks)]))
	}
	t, err := g.WaitUntil(a.f, goal, a.by(o))
	var te *TaskError
	if failed := errors.As(err, &te); failed {
		err = fmt.Errorf("%s failed", te.Task) // without the stack, which has addresses in it
	} else if err != nil {
		return "", err
	}
	alive := 0
	for _, task := range g.Tasks() {
		if a.sched.Inspect().State(task.ID()) != fiber.Dead {
			alive++
		}
	}
	if alive > 0 && (goal == wait.All || t == nil) || t != nil && a.sched.Inspect().State(t.ID()) != fiber.Dead {
		a.complain("fiber %d waited for %v of a group; %d live", a.n, goal, alive)
	}
	return fmt.Sprintf("%v of the group", goal), err
}
