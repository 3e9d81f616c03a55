package actor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/scheduler"
)

type (
	handler = actor.HandlerFunc[string]
	me      = actor.Context[string]
	spec    = actor.Spec[string]
	options = actor.Options[string]
)

// fixture is a system of actors whose messages are strings, with the trace of its hooks.
type fixture struct {
	*actor.System[string]
	t     *testing.T
	sched *scheduler.Scheduler[struct{}]
	trace []string
}

func newFixture(t *testing.T, root spec, o options) *fixture {
	t.Helper()
	st := &fixture{t: t, sched: scheduler.New[struct{}](scheduler.Config{})}
	o.DeadLetter = func(l actor.DeadLetter[string]) {
		st.note("dead letter %s→%s %q: %v", l.From, l.To, l.Msg, l.Why)
	}
	o.Ended = func(d actor.Death) { st.note("%s ended: %v", d.Name, d.Err()) }
	o.Fault = func(err error) { st.note("fault: %v", err) }
	var err error
	if st.System, err = actor.New(st.sched, nil, root, o); err != nil {
		t.Fatal(err)
	}
	return st
}

func (st *fixture) note(format string, args ...any) {
	st.trace = append(st.trace, fmt.Sprintf(format, args...))
}

// run dispatches and runs until nothing is left to do; it gives the outputs and the end.
func (st *fixture) run(msgs ...string) (outs []string, err error) {
	for _, m := range msgs {
		if err := st.Dispatch(m); err != nil {
			st.t.Errorf("dispatch %q: %v", m, err)
		}
	}
	for out, err := range st.All(context.Background()) {
		if err != nil {
			return outs, err
		}
		outs = append(outs, out)
	}
	return outs, nil
}

// outputs dispatches the messages, runs the system and compares its outputs.
func (st *fixture) outputs(msgs []string, want ...string) {
	st.t.Helper()
	got, err := st.run(msgs...)
	if !slices.Equal(got, want) {
		st.t.Errorf("outputs %q (%v), want %q", got, err, want)
	}
	st.balanced()
}

func (st *fixture) reports(want ...string) {
	st.t.Helper()
	if !slices.Equal(st.trace, want) {
		st.t.Errorf("trace:\n%q\nwant:\n%q", st.trace, want)
	}
	st.trace = nil
}

// balanced checks that no message is lost.
func (st *fixture) balanced() {
	st.t.Helper()
	n := st.Stats()
	if n.Sent != n.Delivered+n.Dead+n.Rejected+uint64(st.Pending()) {
		st.t.Errorf("messages were lost: %+v, %d pending", n, st.Pending())
	}
}

func (st *fixture) endsWith(want error) {
	st.t.Helper()
	if _, err := st.run(); !errors.Is(err, want) || (want == nil) != (err == nil) {
		st.t.Errorf("ended with %v, want %v", err, want)
	}
}

// root is a Spec of a stateless actor.
func root(f handler) spec { return spec{Name: "root", New: actor.Stateless(f)} }

func named(name string, f handler) spec { return spec{Name: name, New: actor.Stateless(f)} }

// echo puts out what it gets.
func echo(cx *me, msg string) { cx.Send(actor.Output, msg) }

func words(s ...string) []string { return s }
