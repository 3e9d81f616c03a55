package proptest

import (
	"flag"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// The two libraries look for themselves; each must find a mutant too.

func canary() brokenDriver { return brokenDrivers()[11] }

func TestGopterFindsABrokenDriver(t *testing.T) {
	m := newMachine(awake, canary().fresh(awake))
	if result := m.check(1); result.Passed() {
		t.Fatalf("%q lives for %d steps", canary().name, m.steps)
	}
	found(t, m.failure())
}

func TestRapidFindsABrokenDriver(t *testing.T) {
	set(t, "rapid.nofailfile", "true") // there is nothing to keep
	set(t, "rapid.shrinktime", "1s")
	w := &recordingT{name: t.Name()}
	w.watch(func() {
		rapid.Check(w, func(t *rapid.T) { rapidWalk(t, canary().fresh(awake)) })
	})
	if !w.failed {
		t.Fatalf("%q lives", canary().name)
	}
	t.Log(w.said)
}

func set(t *testing.T, name, value string) {
	t.Helper()
	old := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := flag.Set(name, old); err != nil {
			t.Error(err)
		}
	})
}

// recordingT is a test that is to fail, without failing the test that runs it.
type recordingT struct {
	rapid.TB
	name   string
	failed bool
	said   string
}

// left is what a recordingT that must not go on panics with.
type left struct{}

func (w *recordingT) watch(check func()) {
	defer func() {
		if p := recover(); p != nil && p != (left{}) {
			panic(p)
		}
	}()
	check()
}

func (w *recordingT) Helper()             {}
func (w *recordingT) Name() string        { return w.name }
func (w *recordingT) Failed() bool        { return w.failed }
func (w *recordingT) Logf(string, ...any) {}
func (w *recordingT) Log(...any)          {}
func (w *recordingT) FailNow()            { panic(left{}) }

func (w *recordingT) Errorf(format string, args ...any) {
	w.failed = true
	w.said += fmt.Sprintf(format, args...)
}

func (w *recordingT) Fatalf(format string, args ...any) {
	w.Errorf(format, args...)
	w.FailNow()
}
