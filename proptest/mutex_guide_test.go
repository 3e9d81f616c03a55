package proptest

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/mutex"
	"github.com/selvage-dev/selvage/wait"
)

// mutexGuide performs the actions of spec/mutex on a real mutex, with a real scheduler
// around it, and plays the host: it notifies the mutex of the death of its owner.
type mutexGuide struct {
	*testFibers
	lock   *wait.Mutex
	cond   *wait.Cond
	onCond [mutex.MaxFibers]bool       // the last wait of the fiber was for a signal
	apply  func(...fiber.Wakeup) error // the testFibers's; a mutant replaces it
	own    func()                      // registers the lock with its owner; likewise
}

func newMutexGuide(c mutex.Config) *mutexGuide {
	policy := wait.Poison
	if c.HandOn {
		policy = wait.HandOver
	}
	g := &mutexGuide{testFibers: newTestFibers(c.Fibers), lock: wait.NewMutex(policy)}
	g.cond = wait.NewCond(g.lock)
	g.apply = g.testFibers.apply
	g.own = func() { g.Attachments().Own(g.lock.OwnerHook()) }
	return g
}

func (g *mutexGuide) do(_ *mutex.State, a mutex.Action, _ *mutex.State) (mutex.Answer, error) {
	g.step++
	switch a.Kind {
	case mutex.Spawn:
		return mutex.NoAnswer, g.spawn(a.Fiber)
	case mutex.Lock:
		return g.tryLock(a.Fiber)
	case mutex.Wait:
		return mutex.NoAnswer, g.wait(a.Fiber)
	case mutex.Unlock:
		return g.unlock(a.Fiber)
	case mutex.GiveUp:
		return mutex.NoAnswer, g.giveUp(a.Fiber)
	case mutex.Claim:
		return g.claimed(a.Fiber)
	case mutex.Kill:
		return g.killed(a.Fiber)
	case mutex.Await:
		return g.await(a.Fiber)
	case mutex.Signal:
		return g.signals(g.cond.Signal)
	case mutex.Broadcast:
		return g.signals(g.cond.Broadcast)
	}
	if !g.lock.Repair() {
		return 0, errors.New("there is nothing to repair")
	}
	return mutex.NoAnswer, nil
}

func (g *mutexGuide) tryLock(f uint8) (mutex.Answer, error) {
	if err := g.mount(f); err != nil {
		return 0, err
	}
	ok, err := g.lock.TryLock(g.fibers[f].id)
	switch {
	case errors.Is(err, wait.ErrPoisoned):
		return mutex.AnswerPoisoned, nil
	case errors.Is(err, wait.ErrDoubleLock):
		return mutex.AnswerDouble, nil
	case err != nil:
		return 0, err
	case !ok:
		return mutex.AnswerBusy, nil
	}
	g.own()
	return mutex.AnswerLocked, nil
}

func (g *mutexGuide) wait(f uint8) error {
	if err := g.mount(f); err != nil {
		return err
	}
	t := g.Arm(fiber.OnQueue(), g.lock.Source())
	if err := g.lock.ParkLock(t, g.fibers[f].id); err != nil {
		g.Disarm()
		return err
	}
	g.onCond[f] = false
	return g.block(f, t)
}

func (g *mutexGuide) unlock(f uint8) (mutex.Answer, error) {
	if err := g.mount(f); err != nil {
		return 0, err
	}
	w, err := g.lock.Unlock(g.fibers[f].id)
	if err != nil {
		return 0, err
	}
	g.Attachments().Disown(g.lock.OwnerHook())
	if w.IsZero() {
		return mutex.AnswerFreed, nil
	}
	return mutex.AnswerHanded, g.apply(w)
}

func (g *mutexGuide) claimed(f uint8) (mutex.Answer, error) {
	res, err := g.claim(f)
	got := g.collect(f)
	switch {
	case err != nil:
		return 0, err
	case got != (res.Code == fiber.OK):
		return 0, fmt.Errorf("f%d is told %v, and collects: %v", f, res, got)
	case got:
		g.own()
		return mutex.AnswerLocked, nil
	case res.Code == fiber.Failed && res.Value != quitTag:
		return mutex.AnswerPoisoned, nil
	}
	return mutex.AnswerQuit, nil
}

// killed says what has become of the lock of the dead.
func (g *mutexGuide) killed(f uint8) (mutex.Answer, error) {
	owned := g.lock.Owner() == g.fibers[f].id
	err := g.kill(f)
	switch {
	case err != nil || !owned:
		return mutex.NoAnswer, err
	case g.lock.Err() != nil:
		return mutex.AnswerPoisoned, nil
	case g.lock.Owner() != 0:
		return mutex.AnswerHanded, nil
	}
	return mutex.AnswerFreed, nil
}

// refuses: what a fiber cannot ask for now, because it does not run or lives already, is
// no call.
func (g *mutexGuide) refuses(s *mutex.State, a mutex.Action) error {
	g.step++
	ready := s.Fibers[a.Fiber].Status == mutex.Ready
	switch {
	case a.Kind == mutex.Wait && ready:
		return wanted(g.wait(a.Fiber), refusalOfWait(s, a.Fiber))
	case a.Kind == mutex.Unlock && ready:
		_, err := g.unlock(a.Fiber)
		return wanted(err, wait.ErrNotOwner)
	case a.Kind == mutex.Await && ready:
		_, err := g.await(a.Fiber)
		return wanted(err, wait.ErrNotOwner)
	case a.Kind == mutex.GiveUp:
		return g.tooLate(a.Fiber)
	case a.Kind == mutex.Kill:
		return wanted(g.Kill(g.fibers[a.Fiber].id, nil), scheduler.ErrGone)
	case a.Kind == mutex.Repair && g.lock.Repair():
		return errors.New("a sound lock is repaired")
	}
	return nil
}

func refusalOfWait(s *mutex.State, f uint8) error {
	switch {
	case s.Poisoned:
		return wait.ErrPoisoned
	case s.Owner == f:
		return wait.ErrDoubleLock
	}
	return wait.ErrReady
}

// match: of the order of the waiters only the length is seen; the rest shows in what the
// next actions do.
func (g *mutexGuide) match(m *mutex.State) error {
	owner := fiber.ID(0)
	for f := range g.fibers {
		if err := g.testFibers.match(uint8(f), m.Fibers[f].Status == mutex.Dead, m.Fibers[f].Status == mutex.Waits); err != nil {
			return err
		}
		if m.Owner == uint8(f) {
			owner = g.fibers[f].id
		}
	}
	if g.lock.Owner() != owner || g.lock.Waiting() != len(m.Line.All()) || (g.lock.Err() != nil) != m.Poisoned {
		return fmt.Errorf("it is %s, want %+v", g.lock.Source().(fiber.Described).Describe(), m)
	}
	g.Inspect().Verify()
	if err := g.matchCond(m); err != nil {
		return err
	}
	return g.matchGrant(m)
}

// matchGrant: an owner that has claimed the lock, or never waited for it, cannot collect
// it again.
func (g *mutexGuide) matchGrant(m *mutex.State) error {
	if m.Owner == mutex.NoFiber || m.Fibers[m.Owner].Status != mutex.Ready {
		return nil
	}
	if again, want := g.collect(m.Owner), m.Granted != mutex.NoNumber; again != want {
		return fmt.Errorf("f%d can collect the lock again: %v, want %v", m.Owner, again, want)
	}
	return nil
}
