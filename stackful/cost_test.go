//go:build !invariants

package stackful

import (
	"testing"
	"time"

	"github.com/selvage-dev/selvage/wait"
)

// The checked build is left out: its checks take memory of their own.

type call func(f *Fiber) error

// turn is what a fiber does again and again, and what its peer does meanwhile.
type turn struct {
	name string
	make func() (do, peer call)
}

func turns() []turn {
	yield := func(f *Fiber) error { return f.Yield() }
	sleep := func(f *Fiber) error { return f.Sleep(time.Second) }
	receive := func(ch *wait.Chan[int]) call {
		return func(f *Fiber) error { _, _, err := Recv(f, ch); return err }
	}
	send := func(ch *wait.Chan[int]) call { return func(f *Fiber) error { return Send(f, ch, 1) } }
	return []turn{
		{"yield", func() (do, peer call) { return yield, yield }},
		{"checkpoint", func() (do, peer call) { return func(f *Fiber) error { return f.Checkpoint() }, yield }},
		{"context", func() (do, peer call) { return func(f *Fiber) error { return f.Context().Err() }, yield }},
		{"yield in a native call", func() (do, peer call) { return inCall(yield), yield }},
		{"sleep in a native call", func() (do, peer call) { return inCall(sleep), sleep }},
		{"sleep", func() (do, peer call) { return sleep, sleep }},
		{"send", func() (do, peer call) { ch := wait.NewChan[int](0); return send(ch), receive(ch) }},
		{"receive", func() (do, peer call) { ch := wait.NewChan[int](0); return receive(ch), send(ch) }},
		{"send to a buffer", func() (do, peer call) { ch := wait.NewChan[int](4); return send(ch), receive(ch) }},
		{"ping-pong", func() (do, peer call) {
			ping, pong := wait.NewChan[int](0), wait.NewChan[int](0)
			return both(send(ping), receive(pong)), both(receive(ping), send(pong))
		}},
		{"lock", func() (do, peer call) {
			m := wait.NewMutex(wait.Poison)
			lock := func(f *Fiber) error { return f.Lock(m) }
			hold := both(both(lock, yield), func(f *Fiber) error { return f.Unlock(m) })
			return hold, hold
		}},
		{"lock to read and to write", func() (do, peer call) {
			m := wait.NewRWMutex(wait.Poison)
			read := both(both(func(f *Fiber) error { return f.RLock(m) }, yield), func(f *Fiber) error { return f.RUnlock(m) })
			write := both(both(func(f *Fiber) error { return f.Lock(m) }, yield), func(f *Fiber) error { return f.Unlock(m) })
			return both(read, write), both(write, read)
		}},
		{"acquire", func() (do, peer call) {
			sem := wait.NewSemaphore(3)
			hold := both(both(func(f *Fiber) error { return f.Acquire(sem, 2) }, yield), func(f *Fiber) error { return f.Release(sem, 2) })
			return hold, hold
		}},
		{"wait for a signal", func() (do, peer call) {
			m := wait.NewMutex(wait.Poison)
			c := wait.NewCond(m)
			lock, unlock := func(f *Fiber) error { return f.Lock(m) }, func(f *Fiber) error { return f.Unlock(m) }
			signal := func(f *Fiber) error { return f.Signal(c) }
			return both(lock, both(func(f *Fiber) error { return f.Wait(c) }, unlock)), both(yield, both(lock, both(signal, unlock)))
		}},
		{"wait for a signal in vain", func() (do, peer call) {
			m := wait.NewMutex(wait.Poison)
			c := wait.NewCond(m)
			lock, unlock := func(f *Fiber) error { return f.Lock(m) }, func(f *Fiber) error { return f.Unlock(m) }
			return both(lock, func(f *Fiber) error {
				if err := f.WaitUntil(c, f.Within(1)); err != ErrTimeout {
					return err
				}
				return unlock(f)
			}), sleep
		}},
		{"what is done", func() (do, peer call) {
			once := new(wait.Once)
			do = func(f *Fiber) error { return f.Do(once, func() error { return nil }) }
			return do, both(do, yield)
		}},
		{"groups that are done", func() (do, peer call) {
			var group Group
			return func(f *Fiber) error {
				if group.tasks == nil {
					if _, err := group.Go(f, "", func(*Fiber) (any, error) { return nil, nil }); err != nil {
						return err
					}
				}
				_, err := group.Wait(f, wait.All)
				return err
			}, yield
		}},
		{"receive by a deadline", func() (do, peer call) {
			ch := wait.NewChan[int](0)
			return func(f *Fiber) error { _, _, err := RecvUntil(f, ch, f.Within(time.Hour)); return err }, send(ch)
		}},
		{"time out", func() (do, peer call) {
			ch := wait.NewChan[int](0)
			return func(f *Fiber) error {
				if _, _, err := RecvUntil(f, ch, f.Within(1)); err != ErrTimeout {
					return err
				}
				return nil
			}, sleep
		}},
		{"select", func() (do, peer call) {
			ch, quit := wait.NewChan[int](0), wait.NewChan[int](0)
			sel := wait.NewSelect(wait.RecvFrom(ch), wait.RecvFrom(quit))
			return func(f *Fiber) error { _, err := f.Select(sel); return err }, send(ch)
		}},
	}
}

func inCall(do call) call {
	body := func(f *Fiber) (any, error) { return nil, do(f) }
	return func(f *Fiber) error { return second(f.Call(body)) }
}

func both(first, second call) call {
	return func(f *Fiber) error {
		if err := first(f); err != nil {
			return err
		}
		return second(f)
	}
}

func TestWhatFibersDoAllTheTimeAllocatesNothing(t *testing.T) {
	for _, turn := range append(turns(), moreTurns()...) {
		t.Run(turn.name, func(t *testing.T) {
			each(t, func(s *testRun) {
				do, peerDoes := turn.make()
				peer := s.spawn("peer", func(f *Fiber) {
					for peerDoes(f) == nil {
					}
				})
				s.spawn("measured", func(f *Fiber) {
					for range 100 { // what grows with use has grown
						s.ok(do(f))
					}
					s.is("allocations", testing.AllocsPerRun(500, func() { s.ok(do(f)) }), 0.0)
					s.ok(s.sched.Kill(peer.ID(), nil))
				})
				s.run()
			})
		})
	}
}

func TestASpawnIntoAReusedSlotReusesItsStack(t *testing.T) {
	each(t, func(s *testRun) {
		fn := func(f *Fiber) (any, error) { return nil, f.Yield() }
		round := func() { s.start("child", fn); s.run() }
		n := testing.AllocsPerRun(100, round)
		t.Logf("%.0f allocations per fiber", n)
		if n > 8 {
			t.Errorf("%v allocations per fiber, want 8 or fewer", n)
		}
	})
}

func TestALockThatIsGivenBackLeavesNothingWithItsFiber(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewMutex(wait.Poison)
		s.spawn("owner", func(f *Fiber) {
			s.is("allocations", testing.AllocsPerRun(1, func() {
				for range 10_000 {
					s.ok(f.Lock(m))
					s.ok(f.Unlock(m))
				}
			}), 0.0)
		})
		s.run()
	})
}
