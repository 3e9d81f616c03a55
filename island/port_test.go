package island_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

func TestWhatASenderSendsIsReceivedInItsOrderAndOnce(t *testing.T) {
	const senders, each = 3, 20_000
	for _, capacity := range []int{1, 2, 64} {
		t.Run(fmt.Sprintf("capacity %d", capacity), func(t *testing.T) {
			r := new(island.Registry)
			home := found(t, r, "home", island.Config{})
			p := open[[2]int](home, "work", capacity)
			var ended []<-chan error
			for n := range senders {
				b := found(t, r, fmt.Sprint("sender ", n), island.Config{})
				s := dial[[2]int](b, "work")
				ended = append(ended, b.do("send", func(f *stackful.Fiber) error {
					for v := range each {
						if err := send(f, s, [2]int{n, v}); err != nil {
							return err
						}
					}
					return s.Close()
				}))
			}
			home.own(p.Seal)
			var next [senders]int
			got := home.do("receive", func(f *stackful.Fiber) error {
				for {
					v, ok, err := receive(f, p)
					if err != nil || !ok {
						return err
					}
					if v[1] != next[v[0]] {
						return fmt.Errorf("sender %d: %d came, want %d", v[0], v[1], next[v[0]])
					}
					next[v[0]]++
				}
			})
			for _, e := range ended {
				require.NoError(t, ends(t, e))
			}
			require.NoError(t, ends(t, got))
			require.Equal(t, [senders]int{each, each, each}, next)
		})
	}
}

func TestAFullPortHoldsItsSenderBackAndNobodyElse(t *testing.T) {
	r := new(island.Registry)
	home, away := found(t, r, "home", island.Config{}), found(t, r, "away", island.Config{})
	p, s := open[int](home, "full", 2), dial[int](away, "full")
	var sent atomic.Int32
	sender := away.do("sender", func(f *stackful.Fiber) error {
		for v := range 5 {
			if err := send(f, s, v); err != nil {
				return err
			}
			sent.Add(1)
		}
		return nil
	})
	other := away.do("somebody else", func(f *stackful.Fiber) error {
		for sent.Load() < 2 || s.Waiting() == 0 {
			if err := f.Yield(); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, ends(t, other))
	require.EqualValues(t, 2, sent.Load())
	require.NoError(t, ends(t, home.do("receiver", func(f *stackful.Fiber) error {
		for want := range 5 {
			if v, ok, err := receive(f, p); err != nil || !ok || v != want {
				return fmt.Errorf("got %v %v %v, want %d", v, ok, err, want)
			}
		}
		return nil
	})))
	require.NoError(t, ends(t, sender))
}

func TestAClosedPortIsDrainedFirstAndItsSendersAreRefused(t *testing.T) {
	r := new(island.Registry)
	home, away := found(t, r, "home", island.Config{}), found(t, r, "away", island.Config{})
	p, s := open[int](home, "p", 2), dial[int](away, "p")
	require.NoError(t, ends(t, away.do("two", func(f *stackful.Fiber) error {
		return errors.Join(send(f, s, 1), send(f, s, 2))
	})))
	third := away.do("third", func(f *stackful.Fiber) error { return send(f, s, 3) })
	require.NoError(t, ends(t, away.do("look", func(f *stackful.Fiber) error {
		for s.Waiting() == 0 {
			if err := f.Yield(); err != nil {
				return err
			}
		}
		return nil
	})))
	home.own(func() { require.NoError(t, p.Close()) })
	require.ErrorIs(t, ends(t, third), wait.ErrClosed, "close reported as success")
	home.own(func() { require.ErrorIs(t, p.Close(), wait.ErrClosed) })
	require.NoError(t, ends(t, home.do("drain", func(f *stackful.Fiber) error {
		for _, want := range []int{1, 2} {
			if v, ok, err := receive(f, p); err != nil || !ok || v != want {
				return fmt.Errorf("got %v %v %v, want %d", v, ok, err, want)
			}
		}
		if v, ok, err := receive(f, p); ok || err != nil {
			return fmt.Errorf("%v was received from a closed port, %v", v, err)
		}
		return nil
	})))
	away.own(func() {
		_, err := island.Dial[int](away.Island, "p")
		require.ErrorIs(t, err, island.ErrUnknown)
	})
}

func TestSelectMixesPortsAndLocalChannels(t *testing.T) {
	r := new(island.Registry)
	home, away := found(t, r, "home", island.Config{}), found(t, r, "away", island.Config{})
	p, s := open[string](home, "answers", 1), dial[string](away, "answers")
	q, ask := open[int](away, "questions", 1), dial[int](home, "questions")
	local := wait.NewChan[string](0)
	answered := away.do("answer", func(f *stackful.Fiber) error {
		if _, _, err := receive(f, q); err != nil {
			return err
		}
		return send(f, s, "from afar")
	})
	got := home.do("select", func(f *stackful.Fiber) error {
		fromPort, fromChan := island.RecvFrom(p), wait.RecvFrom(local)
		if i, err := f.Select(wait.NewSelect(fromPort, fromChan)); i != 1 || err != nil {
			return fmt.Errorf("case %d first, %v", i, err)
		}
		if p.Waiting() != 0 {
			return errors.New("the losing registration is still at the port (I10)")
		}
		sends, ok := island.SendTo(ask, 1), false
		if i, err := f.Select(wait.NewSelect(fromChan, sends)); i != 1 || err != nil || sends.Err() != nil {
			return fmt.Errorf("case %d second, %v, %v", i, err, sends.Err())
		}
		if i, err := f.Select(wait.NewSelect(fromPort, fromChan)); i != 0 || err != nil {
			return fmt.Errorf("case %d third, %v", i, err)
		}
		if v, got := fromPort.Value(); !got || v != "from afar" {
			return fmt.Errorf("received %q, %v", v, ok)
		}
		return nil
	})
	require.NoError(t, ends(t, home.do("peer", func(f *stackful.Fiber) error { return stackful.Send(f, local, "near") })))
	require.NoError(t, ends(t, got))
	require.NoError(t, ends(t, answered))
}

func TestValuesPassAsTheirTypeDeclares(t *testing.T) {
	r := new(island.Registry)
	home := found(t, r, "home", island.Config{})
	home.own(func() {
		_, err := island.Open[[]byte](home.Island, "slices", 1)
		require.ErrorIs(t, err, island.ErrShared)
		_, err = island.Open[struct{ next *int }](home.Island, "pointers", 1)
		require.ErrorIs(t, err, island.ErrShared)
		_, err = island.Open[struct {
			name string
			at   [2]float64
		}](home.Island, "plain", 1)
		require.NoError(t, err)
	})
	boxes, to := open[island.Box[[]byte]](home, "boxes", 1), dial[island.Box[[]byte]](home, "boxes")
	clones, toClones := open[list](home, "clones", 1), dial[list](home, "clones")
	require.NoError(t, ends(t, home.do("both", func(f *stackful.Fiber) error {
		box, kept := island.NewBox([]byte("moved")), list{1, 2}
		if err := errors.Join(send(f, to, box), send(f, toClones, kept)); err != nil {
			return err
		}
		if v, ok := box.Take(); ok {
			return fmt.Errorf("the sender still has %q", v)
		}
		kept[0] = 7
		moved, _, _ := receive(f, boxes)
		cloned, _, _ := receive(f, clones)
		if v, ok := moved.Take(); !ok || string(v) != "moved" || cloned[0] != 1 {
			return fmt.Errorf("received %q %v, %v", v, ok, cloned)
		}
		return nil
	})))
}

type list []int

func (l list) Clone() list { return append(list(nil), l...) }

func TestTheEndOfAnIslandIsToldAtTheOtherEndsOfItsPorts(t *testing.T) {
	r := new(island.Registry)
	home, away := found(t, r, "home", island.Config{}), found(t, r, "away", island.Config{})
	open[int](home, "full", 1)
	s := dial[int](away, "full")
	p := open[int](away, "results", 1)
	dial[int](home, "results")
	away.own(p.Seal)
	sender := away.do("sender", func(f *stackful.Fiber) error {
		return errors.Join(send(f, s, 1), send(f, s, 2))
	})
	receiver := away.do("receiver", func(f *stackful.Fiber) error {
		if v, ok, err := receive(f, p); ok || err != nil {
			return fmt.Errorf("received %v, %v", v, err)
		}
		return p.Err()
	})
	fire := errors.New("fire")
	home.stop(fire)
	for _, ended := range []<-chan error{sender, receiver} {
		err := ends(t, ended)
		require.ErrorIs(t, err, island.ErrDown)
		require.ErrorIs(t, err, fire)
		require.ErrorContains(t, err, "home (island 1.1)")
	}
	away.own(func() {
		_, err := island.Dial[int](away.Island, "full")
		require.ErrorIs(t, err, island.ErrUnknown)
	})
}

func TestAPortThatNoMemoryHoldsIsRefused(t *testing.T) {
	h := handRun(t, new(island.Registry), "home")
	_, err := island.Open[int](h.Island, "huge", 1<<30)
	require.ErrorIs(t, err, island.ErrRequest)
	require.ErrorContains(t, err, "is more than 16777216")
}

func TestASenderLearnsThatNobodyWaitsAnyMore(t *testing.T) {
	for name, ends := range map[string]func(p *island.Port[int], home *hand){
		"the port is closed": func(p *island.Port[int], _ *hand) { _ = p.Close() },
		"its island leaves":  func(_ *island.Port[int], home *hand) { home.Leave(errors.New("over")) },
	} {
		t.Run(name, func(t *testing.T) {
			r := new(island.Registry)
			home, away := handRun(t, r, "home"), handRun(t, r, "away")
			p, err := island.Open[int](home.Island, "p", 1)
			require.NoError(t, err)
			told := []int{0, 0, 0}
			for k := range told {
				s, err := island.Dial[int](away.Island, "p")
				require.NoError(t, err)
				tell := func() { told[k]++ }
				switch home.Poll(); k {
				case 0:
					s.OnClosed(tell)
				case 1:
					s.OnClosed(tell)
					require.NoError(t, s.Close())
				case 2:
					ends(p, home)
					s.OnClosed(tell)
				}
			}
			require.Equal(t, []int{0, 0, 1}, told, "at once where it has ended already")
			away.Poll()
			away.Poll()
			require.Equal(t, []int{1, 0, 1}, told, "once, and not after Close")
		})
	}
}
