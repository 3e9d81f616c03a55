package island_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

func TestValuesOfASenderAreReceivedOnceAndInOrder(t *testing.T) {
	const senders, each = 3, 20_000
	for _, capacity := range []int{1, 2, 64} {
		t.Run(fmt.Sprintf("capacity %d", capacity), func(t *testing.T) {
			r := new(island.Registry)
			home := islandtest.Start(t, r, "home", island.Config{})
			p := islandtest.Open[[2]int](home, "work", capacity)
			var ended []<-chan error
			for n := range senders {
				b := islandtest.Start(t, r, fmt.Sprint("sender ", n), island.Config{})
				s := islandtest.Dial[[2]int](b, "work")
				ended = append(ended, b.Go("send", func(f *stackful.Fiber) error {
					for v := range each {
						if err := islandtest.Send(f, s, [2]int{n, v}); err != nil {
							return err
						}
					}
					return s.Close()
				}))
			}
			home.Own(p.Seal)
			var next [senders]int
			got := home.Go("receive", func(f *stackful.Fiber) error {
				for {
					v, ok, err := islandtest.Receive(f, p)
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
				require.NoError(t, <-e)
			}
			require.NoError(t, <-got)
			require.Equal(t, [senders]int{each, each, each}, next)
		})
	}
}

func TestAFullPortBlocksOnlyItsSender(t *testing.T) {
	r := new(island.Registry)
	home, away := islandtest.Start(t, r, "home", island.Config{}), islandtest.Start(t, r, "away", island.Config{})
	p, s := islandtest.Open[int](home, "full", 2), islandtest.Dial[int](away, "full")
	var sent atomic.Int32
	sender := away.Go("sender", func(f *stackful.Fiber) error {
		for v := range 5 {
			if err := islandtest.Send(f, s, v); err != nil {
				return err
			}
			sent.Add(1)
		}
		return nil
	})
	other := away.Go("another fiber", func(f *stackful.Fiber) error {
		for sent.Load() < 2 || island.SendersWaiting(s) == 0 {
			if err := f.Yield(); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, <-other)
	require.EqualValues(t, 2, sent.Load())
	require.NoError(t, <-home.Go("receiver", func(f *stackful.Fiber) error {
		for want := range 5 {
			if v, ok, err := islandtest.Receive(f, p); err != nil || !ok || v != want {
				return fmt.Errorf("got %v %v %v, want %d", v, ok, err, want)
			}
		}
		return nil
	}))
	require.NoError(t, <-sender)
}

func TestAClosedPortIsDrainedAndRefusesSenders(t *testing.T) {
	r := new(island.Registry)
	home, away := islandtest.Start(t, r, "home", island.Config{}), islandtest.Start(t, r, "away", island.Config{})
	p, s := islandtest.Open[int](home, "p", 2), islandtest.Dial[int](away, "p")
	require.NoError(t, <-away.Go("two", func(f *stackful.Fiber) error {
		return errors.Join(islandtest.Send(f, s, 1), islandtest.Send(f, s, 2))
	}))
	third := away.Go("third", func(f *stackful.Fiber) error { return islandtest.Send(f, s, 3) })
	require.NoError(t, <-away.Go("look", func(f *stackful.Fiber) error {
		for island.SendersWaiting(s) == 0 {
			if err := f.Yield(); err != nil {
				return err
			}
		}
		return nil
	}))
	home.Own(func() { require.NoError(t, p.Close()) })
	require.ErrorIs(t, <-third, wait.ErrClosed, "close reported as success")
	home.Own(func() { require.ErrorIs(t, p.Close(), wait.ErrClosed) })
	require.NoError(t, <-home.Go("drain", func(f *stackful.Fiber) error {
		for _, want := range []int{1, 2} {
			if v, ok, err := islandtest.Receive(f, p); err != nil || !ok || v != want {
				return fmt.Errorf("got %v %v %v, want %d", v, ok, err, want)
			}
		}
		if v, ok, err := islandtest.Receive(f, p); ok || err != nil {
			return fmt.Errorf("%v was received from a closed port, %v", v, err)
		}
		return nil
	}))
	away.Own(func() {
		_, err := island.Dial[int](away.Island, "p")
		require.ErrorIs(t, err, island.ErrUnknown)
	})
}

func TestSelectMixesPortsAndLocalChannels(t *testing.T) {
	r := new(island.Registry)
	home, away := islandtest.Start(t, r, "home", island.Config{}), islandtest.Start(t, r, "away", island.Config{})
	p, s := islandtest.Open[string](home, "answers", 1), islandtest.Dial[string](away, "answers")
	q, ask := islandtest.Open[int](away, "questions", 1), islandtest.Dial[int](home, "questions")
	local := wait.NewChan[string](0)
	answered := away.Go("answer", func(f *stackful.Fiber) error {
		if _, _, err := islandtest.Receive(f, q); err != nil {
			return err
		}
		return islandtest.Send(f, s, "from afar")
	})
	got := home.Go("select", func(f *stackful.Fiber) error {
		fromPort, fromChan := island.RecvFrom(p), wait.RecvFrom(local)
		if i, err := f.Select(wait.NewSelect(fromPort, fromChan)); i != 1 || err != nil {
			return fmt.Errorf("case %d first, %v", i, err)
		}
		if island.ReceiversWaiting(p) != 0 {
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
	require.NoError(t, <-home.Go("peer", func(f *stackful.Fiber) error { return stackful.Send(f, local, "near") }))
	require.NoError(t, <-got)
	require.NoError(t, <-answered)
}

func TestValuesAreTransferredAsTheirTypeDeclares(t *testing.T) {
	r := new(island.Registry)
	home := islandtest.Start(t, r, "home", island.Config{})
	home.Own(func() {
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
	boxes, to := islandtest.Open[island.Box[[]byte]](home, "boxes", 1), islandtest.Dial[island.Box[[]byte]](home, "boxes")
	clones, toClones := islandtest.Open[list](home, "clones", 1), islandtest.Dial[list](home, "clones")
	require.NoError(t, <-home.Go("both", func(f *stackful.Fiber) error {
		box, kept := island.NewBox([]byte("moved")), list{1, 2}
		if err := errors.Join(islandtest.Send(f, to, box), islandtest.Send(f, toClones, kept)); err != nil {
			return err
		}
		if v, ok := box.Take(); ok {
			return fmt.Errorf("the sender still has %q", v)
		}
		kept[0] = 7
		moved, _, _ := islandtest.Receive(f, boxes)
		cloned, _, _ := islandtest.Receive(f, clones)
		if v, ok := moved.Take(); !ok || string(v) != "moved" || cloned[0] != 1 {
			return fmt.Errorf("received %q %v, %v", v, ok, cloned)
		}
		return nil
	}))
}

type list []int

func (l list) Clone() list { return append(list(nil), l...) }

func TestTheEndOfAnIslandClosesTheOtherEndsOfItsPorts(t *testing.T) {
	r := new(island.Registry)
	home, away := islandtest.Start(t, r, "home", island.Config{}), islandtest.Start(t, r, "away", island.Config{})
	islandtest.Open[int](home, "full", 1)
	s := islandtest.Dial[int](away, "full")
	p := islandtest.Open[int](away, "results", 1)
	islandtest.Dial[int](home, "results")
	away.Own(p.Seal)
	sender := away.Go("sender", func(f *stackful.Fiber) error {
		return errors.Join(islandtest.Send(f, s, 1), islandtest.Send(f, s, 2))
	})
	receiver := away.Go("receiver", func(f *stackful.Fiber) error {
		if v, ok, err := islandtest.Receive(f, p); ok || err != nil {
			return fmt.Errorf("received %v, %v", v, err)
		}
		return p.Err()
	})
	fire := errors.New("fire")
	home.Stop(fire)
	for _, ended := range []<-chan error{sender, receiver} {
		err := <-ended
		require.ErrorIs(t, err, island.ErrDown)
		require.ErrorIs(t, err, fire)
		require.ErrorContains(t, err, "home (island 1.1)")
	}
	away.Own(func() {
		_, err := island.Dial[int](away.Island, "full")
		require.ErrorIs(t, err, island.ErrUnknown)
	})
}

func TestATooLargeCapacityIsRefused(t *testing.T) {
	h := islandtest.Join(t, new(island.Registry), "home")
	_, err := island.Open[int](h.Island, "huge", 1<<30)
	require.ErrorIs(t, err, island.ErrRequest)
	require.ErrorContains(t, err, "is more than 16777216")
}

func TestOnClosedIsCalledOnce(t *testing.T) {
	for name, ends := range map[string]func(p *island.Port[int], home *islandtest.Stepped){
		"the port is closed": func(p *island.Port[int], _ *islandtest.Stepped) { _ = p.Close() },
		"its island leaves":  func(_ *island.Port[int], home *islandtest.Stepped) { home.Leave(errors.New("over")) },
	} {
		t.Run(name, func(t *testing.T) {
			r := new(island.Registry)
			home, away := islandtest.Join(t, r, "home"), islandtest.Join(t, r, "away")
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
