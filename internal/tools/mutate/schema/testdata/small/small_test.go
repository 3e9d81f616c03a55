package small

import (
	"slices"
	"testing"
)

func is[V comparable](t *testing.T, what string, got, want V) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestFunctions(t *testing.T) {
	is(t, "Step", Step, 2)
	is(t, "Twice", Twice(3), 6)
	is(t, "Sum", Sum(1, 2, 3), 6)
	is(t, "Sum of halves", Sum(.5, .5), 1)
	is(t, "First", First(4, 5, "more"), 4)
	three, err := Three(0, "")
	is(t, "Three", three, 3)
	is(t, "error", err, nil)
}

func TestMethods(t *testing.T) {
	var s Stack[string]
	s.Push("a")
	s.Push("b")
	is(t, "Len", s.Len(), 2)
	is(t, "Kind", s.Kind(), "astack")
	var seen []Number
	Number(3).Down(func(n Number) { seen = append(seen, n) })
	if !slices.Equal(seen, []Number{3, 2, 1}) {
		t.Errorf("seen %v", seen)
	}
}

func TestPanics(t *testing.T) {
	oh := func() { panic("oh") }
	is(t, "calm", Calm(oh), false)
	is(t, "calm", Calm(func() {}), true)
	is(t, "guarded", Guarded(oh), any("guarded"))
}

func TestInlined(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { Unboxed(1000) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
