package stackful

import (
	"testing"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

func TestAPipelineMovesEveryValueInOrder(t *testing.T) {
	each(t, func(s *testRun) {
		raw, doubled := wait.NewChan[int](0), wait.NewChan[int](3)
		s.spawn("source", func(f *Fiber) {
			for i := range 500 {
				s.ok(Send(f, raw, i))
			}
			s.ok(Close(f, raw))
		})
		s.spawn("worker", func(f *Fiber) {
			for v, ok, err := Recv(f, raw); ok; v, ok, err = Recv(f, raw) {
				s.ok(err)
				s.ok(f.Sleep(time.Millisecond))
				s.ok(Send(f, doubled, 2*v))
			}
			s.ok(Close(f, doubled))
		})
		sink := s.start("sink", func(f *Fiber) (any, error) {
			n := 0
			for v, ok, err := Recv(f, doubled); ok; v, ok, err = Recv(f, doubled) {
				s.ok(err)
				s.is("value", v, 2*n)
				n++
			}
			return n, nil
		})
		s.run()
		n, err, _ := sink.Result()
		s.ok(err)
		s.is("received", n, 500)
		s.is("virtual time", s.sched.Now().String(), "500ms")
	})
}

func TestCloseWakesParkedSendersWithAnErrorNotSuccess(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](1)
		site := below(2)
		for _, name := range []string{"buffered", "parked"} {
			s.spawn(name, func(f *Fiber) { s.trace(f, "%v", Send(f, ch, 1)) })
		}
		s.spawn("closer", func(f *Fiber) {
			s.ok(Close(f, ch))
			v, ok, err := Recv(f, ch)
			s.trace(f, "%v %v %v", v, ok, err)
			v, ok, err = Recv(f, ch)
			s.trace(f, "%v %v %v", v, ok, err)
			s.fails("second close", Close(f, ch), wait.ErrClosed)
			s.fails("late send", Send(f, ch, 2), wait.ErrClosed)
		})
		s.run()
		s.traced("buffered: <nil>", "closer: 1 true <nil>", "closer: 0 false <nil>",
			"parked: wait: send: chan: the channel is closed at "+site)
	})
}

func TestCloseWakesParkedReceiversWithTheEnd(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](0)
		for range 2 {
			s.spawn("receiver", func(f *Fiber) {
				v, ok, err := Recv(f, ch)
				s.trace(f, "%v %v %v", v, ok, err)
			})
		}
		s.spawn("closer", func(f *Fiber) { s.ok(Close(f, ch)) })
		s.run()
		s.traced("receiver: 0 false <nil>", "receiver: 0 false <nil>")
	})
}

func TestAWokenReceiverIsNotRobbedByALaterOne(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[string](0)
		receive := func(f *Fiber) {
			v, _, err := Recv(f, ch)
			s.ok(err)
			s.trace(f, "%s", v)
		}
		s.spawn("early", receive)
		s.spawn("sender", func(f *Fiber) {
			s.ok(Send(f, ch, "first")) // early is ready now, behind late
			s.ok(Send(f, ch, "second"))
		})
		s.spawn("late", receive)
		s.run()
		s.traced("late: second", "early: first")
	})
}

func TestAValueIsDeliveredOnceAndNotAlsoLeftInTheBuffer(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](4)
		s.spawn("receiver", func(f *Fiber) {
			v, _, _ := Recv(f, ch)
			s.trace(f, "%d", v)
		})
		s.spawn("sender", func(f *Fiber) {
			s.ok(Send(f, ch, 1))
			s.is("buffered", ch.Len(), 0)
			_, status, err := TryRecv(f, ch)
			s.trace(f, "%v %v", status, err)
		})
		s.run()
		s.traced("sender: empty <nil>", "receiver: 1")
	})
}

func TestAValueWithoutSizeIsNotTakenForClosed(t *testing.T) {
	each(t, func(s *testRun) {
		done := wait.NewChan[struct{}](0)
		s.spawn("receiver", func(f *Fiber) {
			_, ok, _ := Recv(f, done)
			s.trace(f, "parked: %v", ok)
			_, ok, _ = Recv(f, done)
			s.trace(f, "ready: %v", ok)
			_, ok, _ = Recv(f, done)
			s.trace(f, "closed: %v", ok)
		})
		s.spawn("sender", func(f *Fiber) {
			s.ok(Send(f, done, struct{}{}))
			s.ok(Send(f, done, struct{}{}))
			s.ok(Close(f, done))
		})
		s.run()
		s.traced("receiver: parked: true", "receiver: ready: true", "receiver: closed: false")
	})
}

func TestASelectLeavesNoSiblingRegistered(t *testing.T) {
	each(t, func(s *testRun) {
		a, b, c := wait.NewChan[int](0), wait.NewChan[int](0), wait.NewChan[int](0)
		got := wait.RecvFrom(b)
		s.spawn("chooser", func(f *Fiber) {
			i, err := f.Select(wait.NewSelect(wait.RecvFrom(a), got, wait.SendTo(c, 9), wait.RecvFrom(a)))
			v, ok := got.Value()
			s.trace(f, "case %d, %v: %d %v", i, err, v, ok)
		})
		s.spawn("peer", func(f *Fiber) {
			recvs, _ := a.Waiting()
			_, sends := c.Waiting()
			s.trace(f, "before: %d %d", recvs, sends)
			s.ok(Send(f, b, 1))
			recvs, _ = a.Waiting()
			_, sends = c.Waiting()
			s.trace(f, "after: %d %d", recvs, sends) // before the chooser runs
		})
		s.run()
		s.traced("peer: before: 2 1", "peer: after: 0 0", "chooser: case 1, <nil>: 1 true")
	})
}

func TestASelectWithADefaultDoesNotWait(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](1)
		s.spawn("chooser", func(f *Fiber) {
			cases := wait.NewSelect(wait.RecvFrom(ch), nil)
			i, ok, err := f.TrySelect(cases)
			s.trace(f, "%d %v %v", i, ok, err)
			s.ok(Send(f, ch, 1))
			i, ok, err = f.TrySelect(cases)
			s.trace(f, "%d %v %v", i, ok, err)
		})
		s.run()
		s.traced("chooser: -1 false <nil>", "chooser: 0 true <nil>")
	})
}

func TestASelectedSendThatFailsSaysSo(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](0)
		s.spawn("chooser", func(f *Fiber) {
			for range 2 { // parked when the channel closes, then on a closed channel
				send := wait.SendTo(ch, 1)
				i, err := f.Select(wait.NewSelect(send))
				s.trace(f, "%d %v", i, err)
				s.fails("the case", send.Err(), wait.ErrClosed)
			}
		})
		s.spawn("closer", func(f *Fiber) { s.ok(Close(f, ch)) })
		s.run()
		s.traced("chooser: 0 <nil>", "chooser: 0 <nil>")
	})
}

func TestASelectIsDrawnFromTheSeed(t *testing.T) {
	draw := func(seed uint64) (picked string) {
		s := newTestRun(t, Config{Config: scheduler.Config{Seed: seed}})
		a, b := wait.NewChan[int](16), wait.NewChan[int](16)
		s.spawn("chooser", func(f *Fiber) {
			for i := range 16 {
				s.ok(Send(f, a, i))
				s.ok(Send(f, b, i))
			}
			for range 16 {
				i, err := f.Select(wait.NewSelect(wait.RecvFrom(a), wait.RecvFrom(b)))
				s.ok(err)
				picked += string(rune('a' + i))
			}
		})
		s.run()
		return picked
	}
	first := draw(1)
	if again := draw(1); again != first {
		t.Errorf("seed 1 drew %s and then %s", first, again)
	}
	if other := draw(2); other == first {
		t.Errorf("seeds 1 and 2 both drew %s", first)
	}
}

func TestANilChannelBlocksForever(t *testing.T) {
	each(t, func(s *testRun) {
		var ch *wait.Chan[int]
		s.spawn("sender", func(f *Fiber) { s.interrupted(Send(f, ch, 1), true, scheduler.ErrStopped) })
		s.spawn("receiver", func(f *Fiber) {
			_, ok, err := Recv(f, ch)
			s.is("ok", ok, false)
			s.interrupted(err, true, scheduler.ErrStopped)
		})
		s.spawn("chooser", func(f *Fiber) {
			_, err := f.Select(wait.NewSelect(wait.RecvFrom(ch)))
			s.interrupted(err, true, scheduler.ErrStopped)
		})
		s.spawn("bounded", func(f *Fiber) {
			s.fails("send", SendUntil(f, ch, 1, f.Within(time.Second)), ErrTimeout)
			s.fails("close", Close(f, ch), wait.ErrNilChan)
		})
		s.is("blocked", len(s.deadlock().Fibers), 3)
	})
}
