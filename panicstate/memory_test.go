package panicstate

import (
	"slices"
	"testing"
)

// A deferred call may register one on a frame below it, behind which frames above have
// calls of their own: those come first, and the latest of each frame before the others.
func TestADeferOnALowerFrameWaitsBehindAllThatFramesAboveHave(t *testing.T) {
	var s State
	for _, d := range []Deferred{{1, "outer"}, {2, "middle"}, {3, "inner"}, {3, "inner again"}, {1, "outer again"}, {2, "middle again"}} {
		s.Defer(d.Frame, d.Call)
	}
	var order []any
	for _, frame := range []int{3, 2, 1} {
		for d, ok := s.Return(frame); ok; d, ok = s.Return(frame) {
			order = append(order, d.Call)
			s.EndDefer()
		}
	}
	if want := []any{"inner again", "inner", "middle again", "middle", "outer again", "outer"}; !slices.Equal(order, want) {
		t.Errorf("they ran as %v, want %v", order, want)
	}
}

// What is over is let go of at once, not when its place is needed again.
func TestAPanicThatIsOverAndACallThatHasRunAreNotKeptAlive(t *testing.T) {
	var s State
	s.Defer(1, "call")
	s.Begin(Recoverable, "boom", "")
	s.NextDefer()
	s.Recover(2)
	s.EndDefer()
	for _, p := range s.pending[:cap(s.pending)] {
		if p.Call != nil {
			t.Errorf("%v is kept alive", p.Call)
		}
	}
	for _, u := range s.unwinds[:cap(s.unwinds)] {
		if u.Value != nil {
			t.Errorf("the panic %v is kept alive", u.Value)
		}
	}
}
