package proptest

import (
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/spec"
)

// refused are the machines whose every disabled action is tried, with the stride at
// which their states are: 1 is each of them.
var refused = []struct {
	spec.Config
	stride int
}{
	{spec.Config{Fibers: 2, Trampolines: 1, Tokens: 1, Tickets: 1}, 40},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 1, Tickets: 1}, 4},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 2}, 1},
	{spec.Config{Fibers: 1, Trampolines: 2, Tokens: 1, Tickets: 1}, 1},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 2}, 1},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Masks: 1}, 1},
	{spec.Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1}, 20},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Pins: 1}, 1},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 2, Lives: 2}, 1},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Moves: true, Outside: true, Lends: true}, 4},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Moves: true}, 1},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Lends: true}, 1},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Runs: true}, 1},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Moves: true, Holds: true}, 4},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Free: true}, 4},
}

func TestWhatTheModelDoesNotAllowIsRefusedByNameAndChangesNothing(t *testing.T) {
	for _, b := range refused {
		if !long.Full() && b.Fibers+b.Trampolines+b.Tokens > 3 {
			continue
		}
		t.Run(name(b.Config), func(t *testing.T) {
			t.Parallel()
			g := explore(t, b.Config, limitOf(t))
			stride := b.stride
			switch {
			case long.Deep():
				stride = 1
			case !long.On(t):
				stride *= 12
			}
			w := newWarden(g)
			for i := 0; i < len(g.States); i += stride {
				if err := w.visit(i); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d of %d states, %d calls refused, %d actions without a call", (len(g.States)+stride-1)/stride, len(g.States), w.tried, w.untried)
		})
	}
}

// Every row of the table speaks for something, or it proves nothing.
func TestEveryRefusalOccurs(t *testing.T) {
	table := Refusals()
	times := make([]int, len(table))
	for _, c := range []spec.Config{
		{Fibers: 2, Trampolines: 0, Tokens: 2, Tickets: 1}, {Fibers: 2, Trampolines: 2, Tokens: 0, Tickets: 1},
		{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 1, Masks: 1, Grace: true},
		{Fibers: 2, Trampolines: 2, Tokens: 1, Tickets: 1, Pins: 1, AllNest: true},
		{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Lives: 1},
		{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Moves: true, Outside: true, Lends: true},
		{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Runs: true},
		{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Holds: true},
		{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Free: true},
	} {
		g := explore(t, c, 20_000)
		for i := range g.States {
			for _, a := range c.All() {
				if c.Can(&g.States[i], a) {
					continue
				}
				row, ok := RefusalOf(table, c, &g.States[i], a)
				if !ok {
					t.Fatalf("no row speaks for %v in %s", a, c.Key(&g.States[i]))
				}
				times[row]++
			}
		}
	}
	for i, row := range table {
		if times[i] == 0 {
			t.Errorf("%v when %s never occurs", row.Kind, row.When)
		}
	}
}

// warden tries in each state what the model does not allow there.
type warden struct {
	*patrol
	table          []Refusal
	all            []spec.Action
	tried, untried int
}

func newWarden(g *spec.Graph) *warden {
	return &warden{patrol: newPatrol(g, Host{}), table: Refusals(), all: g.Config.All()}
}

// visit compares before and after once for all the actions, which is what it costs;
// only if there is a difference it looks for the one that made it.
func (w *warden) visit(i int) error {
	if err := w.goTo(i); err != nil {
		return w.failed(i, spec.Action{}, err)
	}
	w.edges++
	before := quiet(w.walk.Scheduler.Inspect().Dump())
	if err := w.tryAll(i, func(spec.Action) error { return nil }); err != nil {
		return w.explain(i, err)
	}
	if quiet(w.walk.Scheduler.Inspect().Dump()) != before {
		return w.explain(i, w.culprit(i))
	}
	if err := w.walk.Match(&w.graph.States[i]); err != nil {
		return w.explain(i, err)
	}
	return nil
}

func (w *warden) tryAll(i int, after func(spec.Action) error) error {
	s := &w.graph.States[i]
	for _, a := range w.all {
		if w.graph.Config.Can(s, a) {
			continue
		}
		row, ok := RefusalOf(w.table, w.graph.Config, s, a)
		if !ok {
			return errorf("no row speaks for %v", a)
		}
		if w.table[row].NoCall != "" {
			w.untried++
			continue
		}
		w.tried++
		if err := w.walk.Refuses(&w.table[row], s, a); err != nil {
			return err
		}
		if err := after(a); err != nil {
			return err
		}
	}
	return nil
}

func (w *warden) culprit(i int) error {
	w.walk = nil
	if err := w.goTo(i); err != nil {
		return err
	}
	before := quiet(w.walk.Scheduler.Inspect().Dump())
	return w.tryAll(i, func(a spec.Action) error {
		if after := quiet(w.walk.Scheduler.Inspect().Dump()); after != before {
			return errorf("is changed by the refused %v from\n%s\nto\n%s", a, before, after)
		}
		return nil
	})
}

func (w *warden) explain(i int, err error) error {
	return &Failure{w.graph.Config, w.graph.Path(i), err}
}

// quiet is a snapshot without the counters of what was refused, which a refusal does change.
func quiet(snapshot string) string {
	for _, counter := range [...]string{"Refused:", "Duplicate:", "Unknown:"} {
		parts := strings.Split(snapshot, counter)
		for i, part := range parts[1:] {
			parts[1+i] = strings.TrimLeft(part, "0123456789")
		}
		snapshot = strings.Join(parts, counter)
	}
	return snapshot
}
