package goactor_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
	"github.com/selvage-dev/selvage/stackful"
)

// crowd is some fibers that send to one bounded actor, at moments that are drawn. It keeps
// the books: who came when, who gave up, and what was handled.
type crowd struct {
	*actor.System[string]
	rt         *stackful.Runtime
	to         actor.Handle
	came, gave []string
	handled    []string
	held       int // those that had to wait
}

// receiver is synchronous, or a fiber that takes a moment over each message.
func (c *crowd) receiver(async bool, inbox int) actor.Spec[string] {
	s := actor.Spec[string]{Inbox: inbox, Full: actor.BlockSender}
	if !async {
		s.New = actor.Stateless(func(_ *actor.Context[string], msg string) { c.handled = append(c.handled, msg) })
		return s
	}
	s.Start = goactor.Start(c.rt, func(f *stackful.Fiber, cx *actor.Context[string]) error {
		for {
			msg, err := goactor.Recv(f, cx)
			if err != nil {
				return err
			}
			c.handled = append(c.handled, msg)
			if err := f.Sleep(2); err != nil {
				return err
			}
		}
	})
	return s
}

// sender sends after each pause, and gives up a message after a moment if patience is short.
func (c *crowd) sender(name string, pauses []int, patience time.Duration) goactor.Func[string] {
	return func(f *stackful.Fiber, cx *actor.Context[string]) error {
		for i, pause := range pauses {
			if err := f.Sleep(time.Duration(pause)); err != nil {
				return err
			}
			msg, before := fmt.Sprint(name, i), f.Now()
			c.came = append(c.came, msg)
			err := goactor.SendUntil(f, cx, c.to, msg, f.Within(patience))
			switch {
			case errors.Is(err, stackful.ErrTimeout):
				c.gave = append(c.gave, msg)
			case err != nil:
				return err
			}
			if f.Now() > before {
				c.held++
			}
		}
		return nil
	}
}

// I11 for bounded inboxes: messages are handled in the order in which their senders came,
// whether these had to wait or not; only those who gave up are missing.
func TestNobodyIsOvertakenOnTheWayIntoAFullInbox(t *testing.T) {
	held, gave := 0, 0
	// How many have to wait in a hundred crowds is luck; that is made up for by more of them.
	for rounds := 0; (held < 200 || gave < 20) && !t.Failed(); rounds++ {
		if rounds == 50 {
			t.Fatalf("only %d had to wait and %d gave up", held, gave)
		}
		rapid.Check(t, func(t *rapid.T) {
			c := sendAsDrawn(t)
			held, gave = held+c.held, gave+len(c.gave)
		})
	}
}

// sendAsDrawn has a crowd send, and compares who came with what was handled.
func sendAsDrawn(t *rapid.T) *crowd {
	c := &crowd{rt: stackful.New(stackful.Config{})}
	defer c.rt.Close()
	var err error
	c.System, err = goactor.New(c.rt, actor.Spec[string]{New: actor.Stateless(func(*actor.Context[string], string) {})},
		actor.Options[string]{Fuel: rapid.IntRange(1, 4).Draw(t, "fuel")})
	if err != nil {
		t.Fatal(err)
	}
	c.to, _ = c.Outside().Spawn(c.receiver(rapid.Bool().Draw(t, "async"), rapid.IntRange(1, 3).Draw(t, "inbox")))
	for n := range rapid.IntRange(2, 5).Draw(t, "senders") {
		pauses := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 6).Draw(t, "pauses")
		patience := time.Duration(rapid.SampledFrom([]int{3, 1000}).Draw(t, "patience"))
		_, _ = c.Outside().Spawn(actor.Spec[string]{Start: goactor.Start(c.rt, c.sender(string(rune('a'+n)), pauses, patience))})
	}
	for _, err := range c.All(t.Context()) {
		if !errors.Is(err, actor.ErrIdle) {
			t.Fatal(err)
		}
	}
	want := slices.DeleteFunc(slices.Clone(c.came), func(msg string) bool { return slices.Contains(c.gave, msg) })
	if !slices.Equal(c.handled, want) {
		t.Fatalf("came %q, gave up %q, handled %q", c.came, c.gave, c.handled)
	}
	return c
}

// Nor by those who cannot be made to wait, although there are places for a moment.
func TestWhoCannotWaitIsRefusedWhileOthersWait(t *testing.T) {
	st := newStage(t, nothing)
	slow := st.slow(actor.BlockSender)
	st.spawn("patient", func(f *Fiber, cx *me) error {
		for i := range 5 {
			if err := goactor.Send(f, cx, slow, fmt.Sprint(i)); err != nil {
				return err
			}
		}
		return nil
	})
	st.spawn("pushy", func(f *Fiber, cx *me) error {
		refused := 0
		for range 40 { // every quarter of a second, while the receiver takes a second
			switch err := cx.Send(slow, "pushed in"); {
			case errors.Is(err, actor.ErrInboxFull):
				refused++
			case err != nil:
				return err
			default:
				st.note("in after %d refusals, at %v", refused, f.Now())
				return nil
			}
			if err := f.Sleep(time.Second / 4); err != nil {
				return err
			}
		}
		return nil
	})
	st.plays("0", "1", "2", "3", "4", "pushed in")
	if len(st.told) == 0 || st.told[1] != "in after 12 refusals, at 3s" {
		t.Errorf("told %q", st.told)
	}
}
