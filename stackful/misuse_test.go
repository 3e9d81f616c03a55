package stackful

import (
	"fmt"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/wait"
)

// says checks that a message names the mistake and the fix.
func (s *testRun) says(what string, message any, words ...string) {
	s.t.Helper()
	for _, w := range words {
		if !strings.Contains(fmt.Sprint(message), w) {
			s.t.Errorf("%s: %v\n\tdoes not say %q", what, message, w)
		}
	}
}

// caught is what a call panics with.
func caught(call func()) (value any) {
	defer func() { value = recover() }()
	call()
	return nil
}

// calls is everything a function may do by its Fiber.
func calls(f *Fiber) map[string]func() {
	ch, m := wait.NewChan[int](1), wait.NewMutex(wait.Poison)
	rw, sem, cond := wait.NewRWMutex(wait.Poison), wait.NewSemaphore(1), wait.NewCond(m)
	tm := new(wait.Timer)
	var group Group
	return map[string]func(){
		"Send":       func() { _ = Send(f, ch, 1) },
		"Recv":       func() { _, _, _ = Recv(f, ch) },
		"Close":      func() { _ = Close(f, ch) },
		"Await":      func() { _, _, _ = f.Await(fiber.OnQueue(), nil) },
		"Sleep":      func() { _ = f.Sleep(1) },
		"Yield":      func() { _ = f.Yield() },
		"Checkpoint": func() { _ = f.Checkpoint() },
		"Context":    func() { _ = f.Context() },
		"Shield":     func() { _ = f.Shield(func() error { return nil }) },
		"Lock":       func() { _ = f.Lock(m) },
		"Unlock":     func() { _ = f.Unlock(m) },
		"RLock":      func() { _ = f.RLock(rw) },
		"RUnlock":    func() { _ = f.RUnlock(rw) },
		"Acquire":    func() { _ = f.Acquire(sem, 1) },
		"Release":    func() { _ = f.Release(sem, 1) },
		"Wait":       func() { _ = f.Wait(cond) },
		"Signal":     func() { _ = f.Signal(cond) },
		"Broadcast":  func() { _ = f.Broadcast(cond) },
		"Do":         func() { _ = f.Do(new(wait.Once), func() error { return nil }) },
		"Go":         func() { _, _ = group.Go(f, "", nil) },
		"Add":        func() { _ = group.Add(f, f.task) },
		"Cancel":     func() { _ = f.Cancel(f.task, nil) },
		"Cancel all": func() { _ = group.Cancel(f, nil) },
		"Join":       func() { _, _ = f.Join(f.task) },
		"WaitTimer":  func() { _ = f.WaitTimer(tm) },
		"ResetTimer": func() { _, _ = f.ResetTimer(tm, 0) },
		"StopTimer":  func() { _, _ = f.StopTimer(tm) },
		"Scope":      func() { _, _ = f.Scope(scope.Options{}, nil) },
		"Select":     func() { _, _ = f.Select(wait.NewSelect(wait.RecvFrom(ch))) },
	}
}

func TestAFiberIsNotUsedByAnother(t *testing.T) {
	each(t, func(s *testRun) {
		var stolen *Fiber
		s.spawn("owner", func(f *Fiber) { stolen = f; s.ok(f.Yield()) })
		s.spawn("thief", func(f *Fiber) {
			for name, call := range calls(stolen) {
				s.says(name, caught(call), "stackful: "+name, "called for "+stolen.ID().String(), "while "+f.ID().String()+" runs", "by its own function only")
			}
			s.sched.Inspect().Verify()
			s.ok(f.Yield())
		})
		s.run()
	})
}

func TestAFiberIsNotUsedByAnotherGoroutineBetweenSlices(t *testing.T) {
	each(t, func(s *testRun) {
		var stolen *Fiber
		s.spawn("owner", func(f *Fiber) { stolen = f; _ = f.forever(f.Within(1 << 60)) })
		s.runFor(1)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for name, call := range calls(stolen) {
				s.says(name, caught(call), "stackful: "+name, "called for "+stolen.ID().String(), "while none runs", "by its own function only")
			}
		}()
		<-done
	})
}

func TestAFiberIsNotUsedAfterItsEnd(t *testing.T) {
	each(t, func(s *testRun) {
		var old *Fiber
		s.spawn("old", func(f *Fiber) { old = f })
		s.run()
		next := s.spawn("next in its slot", func(f *Fiber) {
			s.says("Yield", caught(func() { _ = old.Yield() }), "called for "+old.ID().String(), "while "+f.ID().String()+" runs")
		})
		s.is("slot", next.ID().Index(), old.ID().Index())
		s.run()
	})
}

func TestAMisuseThatIsNotRecoveredEndsTheGuiltyFiberOnly(t *testing.T) {
	each(t, func(s *testRun) {
		var stolen *Fiber
		s.spawn("owner", func(f *Fiber) { stolen = f; s.ok(f.Sleep(1)); s.trace(f, "fine") })
		thief := s.spawn("thief", func(*Fiber) { _ = stolen.Yield() })
		s.run()
		s.traced("owner: fine")
		_, err, _ := thief.Result()
		s.says("its end", err, "rule EXECUTING", "panic")
	})
}

// property is one of each thing that belongs to a runtime, each held or empty, and each with
// a fiber that waits on it.
type property struct {
	ch    *wait.Chan[int]
	m     *wait.Mutex
	rw    *wait.RWMutex
	sem   *wait.Semaphore
	cond  *wait.Cond
	once  *wait.Once
	timer *wait.Timer
	group Group
	owner *Task // holds all of it until a value comes
}

func newProperty(s *testRun) *property {
	p := &property{
		ch: wait.NewChan[int](0), m: wait.NewMutex(wait.HandOver), rw: wait.NewRWMutex(wait.HandOver), sem: wait.NewSemaphore(1),
		cond: wait.NewCond(wait.NewMutex(wait.HandOver)), once: new(wait.Once), timer: new(wait.Timer),
	}
	for _, o := range []interface{ SetName(string) }{p.ch, p.m, p.rw, p.sem, p.cond, p.once, p.timer, &p.group} {
		o.SetName("ours")
	}
	p.owner = s.spawn("owner", func(f *Fiber) {
		s.ok(f.Lock(p.m))
		s.ok(f.Lock(p.rw))
		s.ok(f.Acquire(p.sem, 1))
		s.ok(p.group.Add(f, f.Task()))
		s.ok(f.Do(p.once, func() error { _, _, err := Recv(f, p.ch); return err }))
		_, err := f.ResetTimer(p.timer, f.Now())
		s.ok(err)
		s.ok(f.Signal(p.cond))
	})
	for _, await := range []func(f *Fiber) error{
		func(f *Fiber) error { s.ok(f.Lock(p.cond.Mutex())); return f.Wait(p.cond) },
		func(f *Fiber) error { return f.Lock(p.m) },
		func(f *Fiber) error { return f.RLock(p.rw) },
		func(f *Fiber) error { return f.Acquire(p.sem, 1) },
		func(f *Fiber) error { return f.Do(p.once, func() error { panic("it is done") }) },
		func(f *Fiber) error { return f.WaitTimer(p.timer) },
		func(f *Fiber) error { _, err := f.Join(p.owner); return err },
	} {
		s.spawn("waiter", func(f *Fiber) { s.ok(await(f)) })
	}
	return p
}

// strange are calls of a fiber of another runtime, by the property that each is on.
func (p *property) strange(f *Fiber) map[string]map[string]func() error {
	none := func() error { return nil }
	sends := func() *wait.Select { return wait.NewSelect(wait.RecvFrom[int](nil), wait.SendTo(p.ch, 1)) }
	return map[string]map[string]func() error{
		`chan "ours"`: {
			"Send":      func() error { return Send(f, p.ch, 1) },
			"TrySend":   func() error { _, err := TrySend(f, p.ch, 1); return err },
			"Recv":      func() error { _, _, err := Recv(f, p.ch); return err },
			"TryRecv":   func() error { _, _, err := TryRecv(f, p.ch); return err },
			"Close":     func() error { return Close(f, p.ch) },
			"Select":    func() error { _, err := f.Select(sends()); return err },
			"TrySelect": func() error { _, _, err := f.TrySelect(sends()); return err },
		},
		`mutex "ours"`: {
			"Lock":    func() error { return f.Lock(p.m) },
			"TryLock": func() error { _, err := f.TryLock(p.m); return err },
			"Unlock":  func() error { return f.Unlock(p.m) },
			"Wait":    func() error { return f.Wait(wait.NewCond(p.m)) },
		},
		`rwmutex "ours"`: {
			"Write":   func() error { return f.Lock(p.rw) },
			"RLock":   func() error { return f.RLock(p.rw) },
			"RUnlock": func() error { return f.RUnlock(p.rw) },
		},
		`semaphore "ours"`: {
			"Acquire": func() error { return f.Acquire(p.sem, 1) },
			"Release": func() error { return f.Release(p.sem, 1) },
		},
		`cond "ours"`: {
			"Wait":      func() error { return f.Wait(p.cond) },
			"Signal":    func() error { return f.Signal(p.cond) },
			"Broadcast": func() error { return f.Broadcast(p.cond) },
		},
		`once "ours"`: {
			"Do": func() error { return f.Do(p.once, none) },
		},
		`timer "ours"`: {
			"WaitTimer":  func() error { return f.WaitTimer(p.timer) },
			"ResetTimer": func() error { _, err := f.ResetTimer(p.timer, 1); return err },
			"StopTimer":  func() error { _, err := f.StopTimer(p.timer); return err },
			"Select":     func() error { _, err := f.Select(wait.NewSelect(p.timer)); return err },
		},
		`the end of f0.1`: {
			"Join":   func() error { _, err := f.Join(p.owner); return err },
			"Add":    func() error { return new(Group).Add(f, p.owner) },
			"Cancel": func() error { return f.Cancel(p.owner, nil) },
		},
		`group "ours"`: {
			"Go":     func() error { _, err := p.group.Go(f, "", nil); return err },
			"Add":    func() error { return p.group.Add(f, f.Task()) },
			"Wait":   func() error { _, err := p.group.Wait(f, wait.All); return err },
			"Cancel": func() error { return p.group.Cancel(f, nil) },
		},
	}
}

// Runtimes without numbers of their own cannot tell their tickets apart, and refuse
// each other's objects all the same.
func TestAnObjectIsNotSharedByTwoRuntimes(t *testing.T) {
	for name, numbers := range map[string][2]uint16{"of different numbers": {1, 2}, "of one number": {}} {
		t.Run(name, func(t *testing.T) {
			mine := newTestRun(t, Config{Config: scheduler.Config{Number: numbers[0]}})
			theirs := newTestRun(t, Config{Config: scheduler.Config{Number: numbers[1]}})
			p := newProperty(mine)
			mine.deadlock()
			mine.is("blocked", mine.sched.Inspect().Blocked(), 8)
			blocked := mine.Report().String()
			theirs.spawn("stranger", func(f *Fiber) {
				theirs.is("same ID", f.ID(), p.owner.ID()) // so that only the runtime tells them apart
				for object, calls := range p.strange(f) {
					for name, call := range calls {
						err := call()
						theirs.fails(name, err, wait.ErrForeign)
						theirs.says(name, err, "another scheduler", "use a port", object)
					}
				}
			})
			theirs.run()
			mine.is("every fiber is where it was", mine.Report().String(), blocked)
			mine.spawn("peer", func(f *Fiber) { mine.ok(Send(f, p.ch, 1)) })
			mine.run()
			mine.Close()
			theirs.Close()
		})
	}
}

func TestTheRuntimeIsNotRunFromInside(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("fiber", func(f *Fiber) {
			s.says("Run", caught(func() { _ = s.Run(t.Context()) }), "Run at ", "still active", "wait until that call has returned")
			s.ok(f.Yield())
		})
		s.run()
	})
}

func TestAWaitThatIsNoneIsRefused(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("fiber", func(f *Fiber) {
			s.says("no reason", caught(func() { _, _, _ = f.Await(fiber.Reason{}, nil) }), "is no wait", "OnQueue, OnIO or Until")
			s.says("no instant", caught(func() { _, _, _ = f.Await(fiber.Until(fiber.Never), nil) }), "needs a deadline", "use OnQueue")
			s.says("a token of no operation", caught(func() { _, _, _ = f.Await(fiber.OnIO(99), nil) }), "I8", "no such token")
			s.ok(f.Sleep(1))
		})
		s.run()
	})
}
