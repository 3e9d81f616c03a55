package actor_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/actor"
)

func bounded(n int, full actor.Policy) spec {
	s := root(echo)
	s.Inbox, s.Full = n, full
	return s
}

func TestAFullInboxRefusesOrDropsTheOldest(t *testing.T) {
	for _, c := range []struct {
		full     actor.Policy
		errs     []error
		outs     []string
		rejected uint64
	}{
		{actor.Reject, []error{nil, nil, actor.ErrInboxFull, actor.ErrInboxFull}, words("a", "b"), 2},
		{actor.BlockSender, []error{nil, nil, actor.ErrInboxFull, actor.ErrInboxFull}, words("a", "b"), 2},
		{actor.DropOldest, []error{nil, nil, nil, nil}, words("c", "d"), 0},
	} {
		st := newFixture(t, bounded(2, c.full), options{})
		var errs []error
		for _, msg := range words("a", "b", "c", "d") {
			errs = append(errs, st.Dispatch(msg))
		}
		if !slices.EqualFunc(errs, c.errs, errors.Is) {
			t.Errorf("%v: %v, want %v", c.full, errs, c.errs)
		}
		st.outputs(nil, c.outs...)
		if n := st.Stats(); n.Rejected != c.rejected || n.Dead != 2-c.rejected {
			t.Errorf("%v: %+v", c.full, n)
		}
		st.outputs(words("e"), "e") // there is room again
	}
}

func TestAMessageThatAMiddlewareTookAwayMakesRoom(t *testing.T) {
	st := newFixture(t, bounded(1, actor.Reject), options{})
	remove := st.Use(func(c *command) bool {
		if c.Msg == "blocked" {
			return false
		}
		if c.Msg == "elsewhere" {
			c.To = actor.Output
		}
		return true
	})
	st.outputs(words("blocked"))
	st.outputs(words("elsewhere"), "elsewhere")
	remove()
	st.outputs(words("a"), "a")
}
