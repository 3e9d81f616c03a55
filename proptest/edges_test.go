package proptest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/spec"
)

// patrols are the machines whose every edge is followed, the most expensive first, and
// how: with which host, and how long a scheduler lives.
var patrols = []struct {
	spec.Config
	Host
	life int
}{
	{spec.Config{Fibers: 2, Trampolines: 1, Tokens: 1, Tickets: 1}, Host{}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 2, Tickets: 1}, Host{Shell: true}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 2, Tokens: 1, Tickets: 1, Deadlines: 1, Pins: 1}, Host{}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1}, Host{Objects: true}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 2, Tokens: 1, Tickets: 1}, Host{}, 1},
	{spec.Config{Fibers: 1, Trampolines: 2, Tokens: 2, Tickets: 1}, Host{Shell: true}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 1, Tickets: 1}, Host{}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 2}, Host{Objects: true}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 2, Tokens: 1, Tickets: 1, Deadlines: 1}, Host{Shell: true}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 1, Tickets: 1, Deadlines: 1}, Host{}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 2}, Host{Objects: true}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Masks: 1}, Host{}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Grace: true}, Host{Objects: true}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 2, Masks: 1, Grace: true}, Host{}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 1, Masks: 2}, Host{Objects: true}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Pins: 1}, Host{Objects: true}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Lives: 2}, Host{}, 1},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Lives: 2}, Host{}, 1},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Moves: true, Lends: true, Fronts: true}, Host{}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Masks: 1, Moves: true}, Host{Objects: true}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Lends: true}, Host{Objects: true}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Runs: true}, Host{}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Moves: true, Holds: true}, Host{}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Grace: true, Holds: true}, Host{Objects: true}, aLife},
	{spec.Config{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 1, Holds: true}, Host{Shell: true}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Grace: true, Fronts: true, Holds: true, Free: true}, Host{Objects: true}, aLife},
	{spec.Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Free: true}, Host{}, aLife},
}

// longPatrols are added with -long=10.
var longPatrols = []spec.Config{
	{Fibers: 3, Trampolines: 0, Tokens: 0, Tickets: 1},
	{Fibers: 2, Trampolines: 2, Tokens: 0, Tickets: 1},
	{Fibers: 2, Trampolines: 0, Tokens: 1, Tickets: 2},
	{Fibers: 1, Trampolines: 2, Tokens: 1, Tickets: 2},
	{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Deadlines: 2},
	{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1},
	{Fibers: 2, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 2, AllNest: true},
	{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Moves: true},
	{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 2, Moves: true},
	{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Lends: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Moves: true, Outside: true, Lends: true, Fronts: true},
	{Fibers: 2, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 2, AllNest: true, Runs: true},
	{Fibers: 3, Trampolines: 0, Tokens: 0, Tickets: 1, Holds: true},
	{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Holds: true},
}

func TestTheSchedulerFollowsEveryEdgeOfTheModel(t *testing.T) {
	for _, p := range patrols {
		if !long.Full() && p.Fibers+p.Trampolines+p.Tokens > 3 {
			continue
		}
		t.Run(fmt.Sprintf("%s %+v", name(p.Config), p.Host), func(t *testing.T) {
			t.Parallel()
			followEveryEdge(t, p.Config, p.Host, p.life)
		})
	}
	for _, c := range longPatrols {
		if long.Deep() {
			t.Run(name(c), func(t *testing.T) { followEveryEdge(t, c, Host{}, aLife) })
		}
	}
}

func followEveryEdge(t *testing.T, c spec.Config, host Host, life int) {
	t.Helper()
	g := explore(t, c, limitOf(t))
	p := newPatrol(g, host)
	p.life = life
	stride := strideOf(t, 12)
	for i := 0; i < len(g.States); i += stride {
		if err := p.visit(i); err != nil {
			t.Fatal(reported(err))
		}
	}
	t.Logf("%d states, %d edges, %d real steps, %d schedulers", len(g.States), p.edges, p.steps, p.schedulers)
	if stride == 1 && p.edges != g.Edges {
		t.Errorf("%d edges were followed, the graph has %d", p.edges, g.Edges)
	}
}

// strideOf is from one state that is looked at to the next: without -long most are left out.
func strideOf(t *testing.T, quick int) int {
	t.Helper()
	if long.On(t) {
		return 1
	}
	return quick
}

// limitOf is how many states of a graph are found: without -long not those of the largest
// that are farthest away.
func limitOf(t *testing.T) int {
	t.Helper()
	if long.On(t) {
		return everything
	}
	return 20_000
}

// everything is a limit no graph here reaches.
const everything = 1_000_000

// explore is the graph, or as much of it as the limit lets in: every state of a part
// has its path in it too.
func explore(t *testing.T, c spec.Config, limit int) *spec.Graph {
	t.Helper()
	g, err := c.Explore(limit, nil)
	if err != nil && (limit == everything || !errors.Is(err, spec.ErrLimit)) {
		t.Fatalf("%s: %v", name(c), err)
	}
	return g
}

func name(c spec.Config) string {
	return fmt.Sprintf("F%d T%d K%d W%d D%d M%d G%t P%d A%t L%d V%t O%t E%t Q%t R%t H%t X%t", c.Fibers, c.Trampolines, c.Tokens, c.Tickets, c.Deadlines, c.Masks, c.Grace, c.Pins, c.AllNest, c.Lives, c.Moves, c.Outside, c.Lends, c.Fronts, c.Runs, c.Holds, c.Free)
}
