package panicstate

import (
	"slices"
	"testing"
)

// A deferred call may register one on a frame below it, behind which frames above have
// calls of their own: those come first, and the latest of each frame before the others.
func TestADeferOnALowerFrameWaitsBehindAllThatFramesAboveHave(t *testing.T) {
	var s State
	for _, d := range []Deferred{{2, "middle"}, {1, "outer"}, {3, "inner"}, {3, "inner again"}, {1, "outer again"}, {2, "middle again"}} {
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

// A panic replaces the one it was raised in, around the call it comes out of; one further
// out is none of its business yet.
func TestAPanicInADeferOfADeferLeavesTheOutermostAlone(t *testing.T) {
	var s State
	s.Defer(1, "outer")
	s.Begin(Recoverable, "first", "")
	s.NextDefer()          // outer runs as frame 2
	s.Defer(2, "recovers") // of outer's own frame
	s.Defer(2, "panics")
	s.Begin(Recoverable, "second", "")
	s.NextDefer() // panics runs as frame 3
	s.Begin(Recoverable, "third", "")
	s.NextDefer() // recovers runs as frame 3: second is replaced
	if v, ok := s.Recover(3); !ok || v != "third" {
		t.Fatalf("recovered %v, %v", v, ok)
	}
	if step, frame := s.EndDefer(); step != Recovered || frame != 2 {
		t.Fatalf("%v in frame %d", step, frame)
	}
	if p, ok := s.Active(); !ok || p.Value != "first" {
		t.Fatalf("in force is %+v, %v", p, ok)
	}
	if step, frame := s.EndDefer(); step != Continue || frame != 1 {
		t.Errorf("%v in frame %d, though the first panic was not recovered", step, frame)
	}
}

func TestAStopIsNobodysFrame(t *testing.T) {
	var s State
	s.Defer(4, "call")
	s.Begin(Recoverable, "boom", "")
	s.NextDefer()
	s.Begin(Fatal, "end", "")
	if step, frame := s.EndDefer(); step != Stop || frame != 0 {
		t.Errorf("%v in frame %d", step, frame)
	}
}
