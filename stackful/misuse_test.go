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

// says checks that a message names the mistake and the mend.
func (s *story) says(what string, message any, words ...string) {
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
		"Cancel":     func() { group.Cancel(f, nil) },
		"Join":       func() { _, _ = f.Join(f.task) },
		"WaitTimer":  func() { _ = f.WaitTimer(tm) },
		"ResetTimer": func() { _, _ = f.ResetTimer(tm, 0) },
		"StopTimer":  func() { _, _ = f.StopTimer(tm) },
		"Scope":      func() { _, _ = f.Scope(scope.Options{}, nil) },
		"Select":     func() { _, _ = f.Select(wait.NewSelect(wait.RecvFrom(ch))) },
	}
}

func TestAFiberIsNotUsedByAnother(t *testing.T) {
	each(t, func(s *story) {
		var stolen *Fiber
		s.spawn("owner", func(f *Fiber) { stolen = f; s.ok(f.Yield()) })
		s.spawn("thief", func(f *Fiber) {
			for name, call := range calls(stolen) {
				s.says(name, caught(call), name+" of "+stolen.ID().String(), "while "+f.ID().String()+" runs", "by its own function only")
			}
			s.sched.Verify()
			s.ok(f.Yield())
		})
		s.run()
	})
}

func TestAFiberIsNotUsedByAnotherGoroutineBetweenSlices(t *testing.T) {
	each(t, func(s *story) {
		var stolen *Fiber
		s.spawn("owner", func(f *Fiber) { stolen = f; _ = f.forEver(f.Within(1 << 60)) })
		s.runFor(1)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for name, call := range calls(stolen) {
				s.says(name, caught(call), name+" of "+stolen.ID().String(), "while none runs", "by its own function only")
			}
		}()
		<-done
	})
}

func TestAFiberIsNotUsedAfterItsEnd(t *testing.T) {
	each(t, func(s *story) {
		var old *Fiber
		s.spawn("old", func(f *Fiber) { old = f })
		s.run()
		next := s.spawn("next in its slot", func(f *Fiber) {
			s.says("Yield", caught(func() { _ = old.Yield() }), "of "+old.ID().String(), "while "+f.ID().String()+" runs")
		})
		s.is("slot", next.ID().Index(), old.ID().Index())
		s.run()
	})
}

func TestAMisuseThatIsNotRecoveredEndsTheGuiltyFiberOnly(t *testing.T) {
	each(t, func(s *story) {
		var stolen *Fiber
		s.spawn("owner", func(f *Fiber) { stolen = f; s.ok(f.Sleep(1)); s.say(f, "fine") })
		thief := s.spawn("thief", func(*Fiber) { _ = stolen.Yield() })
		s.run()
		s.told("owner: fine")
		_, err, _ := thief.Result()
		s.says("its end", err, "contract", "panic")
	})
}

func TestAnObjectIsNotSharedByTwoRuntimes(t *testing.T) {
	mine, theirs := newStory(t, Config{Config: scheduler.Config{Number: 1}}), newStory(t, Config{Config: scheduler.Config{Number: 2}})
	ch, m := wait.NewChan[int](0), wait.NewMutex(wait.Poison)
	rw, sem, cond, once := wait.NewRWMutex(wait.Poison), wait.NewSemaphore(1), wait.NewCond(m), new(wait.Once)
	var group, ours Group
	for _, o := range []interface{ SetName(string) }{ch, m, rw, sem, cond, once} {
		o.SetName("ours")
	}
	names := map[string]string{"Join": "the end of f0.1", "Add": "the end of f0.1", "WaitAll": "the end of f0.1"}
	for call, kind := range map[string]string{
		"Send": "chan", "TrySend": "chan", "Recv": "chan", "TryRecv": "chan", "Close": "chan", "Select": "chan", "TrySelect": "chan",
		"Lock": "mutex", "TryLock": "mutex", "Unlock": "mutex", "Write": "rwmutex", "RLock": "rwmutex", "RUnlock": "rwmutex",
		"Acquire": "semaphore", "Release": "semaphore", "Wait": "cond", "Signal": "cond", "Broadcast": "cond", "Do": "once",
	} {
		names[call] = kind + ` "ours"`
	}
	worker := mine.spawn("owner", func(f *Fiber) {
		mine.ok(f.Lock(m))
		mine.ok(f.RLock(rw))
		mine.ok(f.RUnlock(rw))
		mine.ok(f.Acquire(sem, 1))
		mine.ok(f.Signal(cond))
		mine.ok(f.Do(once, func() error { return nil }))
		mine.ok(group.Add(f, f.Task()))
		_, _, err := Recv(f, ch)
		mine.ok(err)
		mine.ok(f.Unlock(m))
	})
	mine.deadlock()
	theirs.spawn("stranger", func(f *Fiber) {
		theirs.is("same ID", f.ID(), worker.ID()) // so that only the runtime tells them apart
		for name, call := range map[string]func() error{
			"Send":      func() error { return Send(f, ch, 1) },
			"TrySend":   func() error { _, err := TrySend(f, ch, 1); return err },
			"Recv":      func() error { _, _, err := Recv(f, ch); return err },
			"TryRecv":   func() error { _, _, err := TryRecv(f, ch); return err },
			"Close":     func() error { return Close(f, ch) },
			"Lock":      func() error { return f.Lock(m) },
			"TryLock":   func() error { _, err := f.TryLock(m); return err },
			"Unlock":    func() error { return f.Unlock(m) },
			"Join":      func() error { _, err := f.Join(worker); return err },
			"Select":    func() error { _, err := f.Select(wait.NewSelect(wait.SendTo(ch, 1))); return err },
			"Write":     func() error { return f.Lock(rw) },
			"RLock":     func() error { return f.RLock(rw) },
			"RUnlock":   func() error { return f.RUnlock(rw) },
			"Acquire":   func() error { return f.Acquire(sem, 1) },
			"Release":   func() error { return f.Release(sem, 1) },
			"Wait":      func() error { return f.Wait(cond) },
			"Signal":    func() error { return f.Signal(cond) },
			"Broadcast": func() error { return f.Broadcast(cond) },
			"Do":        func() error { return f.Do(once, func() error { return nil }) },
			"Add":       func() error { return ours.Add(f, worker) },
			"WaitAll":   func() error { _, err := group.Wait(f, wait.All); return err },
			"TrySelect": func() error { _, _, err := f.TrySelect(wait.NewSelect(wait.SendTo(ch, 1))); return err },
		} {
			err := call()
			theirs.fails(name, err, wait.ErrForeign)
			theirs.says(name, err, "another scheduler", "use a port", names[name])
		}
	})
	theirs.run()
	receivers, _ := ch.Waiting()
	mine.is("receivers still there", receivers, 1)
	mine.is("owner", m.Owner(), worker.ID())
	mine.spawn("peer", func(f *Fiber) { mine.ok(Send(f, ch, 1)) })
	mine.run()
	mine.Close()
	theirs.Close()
}

func TestTheRuntimeIsNotRunFromInside(t *testing.T) {
	each(t, func(s *story) {
		s.spawn("fiber", func(f *Fiber) {
			s.says("Run", caught(func() { _ = s.Run(t.Context()) }), "a fiber is Running", "end its slice")
			s.ok(f.Yield())
		})
		s.run()
	})
}

func TestAWaitThatIsNoneIsRefused(t *testing.T) {
	each(t, func(s *story) {
		s.spawn("fiber", func(f *Fiber) {
			s.says("no reason", caught(func() { _, _, _ = f.Await(fiber.Reason{}, nil) }), "is no wait", "OnQueue, OnIO or Until")
			s.says("no instant", caught(func() { _, _, _ = f.Await(fiber.Until(fiber.Never), nil) }), "needs a deadline", "use OnQueue")
			s.says("a token of nobody", caught(func() { _, _, _ = f.Await(fiber.OnIO(99), nil) }), "I8", "no such token")
			s.ok(f.Sleep(1))
		})
		s.run()
	})
}
