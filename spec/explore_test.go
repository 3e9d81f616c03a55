package spec

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
)

// bounds are the machines that are searched through, with the size of their graphs.
// check.sh finds the same numbers with another tool and another text of the machine: a
// change of the machine changes them, and shows here.
var bounds = []bound{
	{Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 2}, 20_192, 168_824},
	{Config{Fibers: 2, Trampolines: 1, Tokens: 1, Tickets: 1}, 401_040, 3_986_472},
	{Config{Fibers: 1, Trampolines: 2, Tokens: 1, Tickets: 1, Deadlines: 1}, 18_240, 171_100},
	{Config{Fibers: 2, Trampolines: 0, Tokens: 1, Tickets: 1, Deadlines: 1}, 66_392, 555_004},
	{Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Deadlines: 2}, 128_344, 1_307_252},
	{Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Masks: 1}, 48_624, 441_792},
	{Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 1, Masks: 2}, 8_592, 73_682},
	{Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Grace: true}, 11_038, 71_008},
	{Config{Fibers: 1, Trampolines: 2, Tokens: 1, Tickets: 1, Deadlines: 1, Masks: 1, Pins: 1}, 70_672, 751_028},
	{Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1}, 207_008, 1_937_220},
	{Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 2, Lives: 3}, 138_453, 1_121_974},
	{Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Moves: true, Lends: true, Fronts: true}, 30_592, 245_888},
	{Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 2, Moves: true}, 30_272, 266_468},
	{Config{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Lends: true}, 17_536, 168_964},
	{Config{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Runs: true}, 26_936, 259_704},
	{Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Moves: true, Holds: true}, 31_840, 270_696},
	{Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Grace: true, Holds: true}, 14_242, 95_076},
	{Config{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 1, Holds: true}, 7_208, 60_960},
	{Config{Fibers: 2, Trampolines: 1, Tokens: 0, Tickets: 1, Free: true}, 63_576, 630_660},
	{Config{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Grace: true, Fronts: true, Holds: true, Free: true}, 14_242, 100_608},
	{Config{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Runs: true, Free: true}, 26_936, 264_672},
}

// longBounds are searched with -long=10, and by check.sh with LONG=1.
var longBounds = []bound{
	{Config{Fibers: 2, Trampolines: 0, Tokens: 1, Tickets: 2}, 602_560, 5_687_248},
	{Config{Fibers: 2, Trampolines: 2, Tokens: 0, Tickets: 1}, 644_688, 7_557_264},
	{Config{Fibers: 3, Trampolines: 0, Tokens: 0, Tickets: 1}, 651_768, 6_371_388},
	{Config{Fibers: 2, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 2, AllNest: true}, 450_448, 5_267_560},
}

// bound is a machine, and how large its graph is.
type bound struct {
	Config
	states, edges int
}

// small is the bound whose every state is looked at again.
var small = Config{Fibers: 2, Trampolines: 1, Tokens: 1, Tickets: 1}

func name(c Config) string {
	return fmt.Sprintf("F%d T%d K%d W%d D%d M%d G%t P%d A%t L%d V%t O%t E%t Q%t R%t H%t X%t", c.Fibers, c.Trampolines, c.Tokens, c.Tickets, c.Deadlines, c.Masks, c.Grace, c.Pins, c.AllNest, c.Lives, c.Moves, c.Outside, c.Lends, c.Fronts, c.Runs, c.Holds, c.Free)
}

func explore(t *testing.T, c Config) *Graph {
	t.Helper()
	g, err := c.Explore(1_000_000, nil)
	if err != nil {
		t.Fatalf("%s: %v", name(c), err)
	}
	return g
}

// The parts of one test, because they share the graph.
func TestTheSmallGraph(t *testing.T) {
	c := small
	if !long.On(t) {
		c = bounds[0].Config
	}
	g := explore(t, c)
	for _, part := range []struct {
		promise string
		check   func(*testing.T, *Graph)
	}{
		{"IsClosedUnderEveryAction", closed},
		{"GivesEqualKeysOnlyToEqualStates", injective},
	} {
		t.Run(part.promise, func(t *testing.T) { part.check(t, g) })
	}
}

func TestEveryReachableStateKeepsTheInvariants(t *testing.T) {
	rows := bounds
	if long.Deep() {
		rows = slices.Concat(longBounds, bounds)
	}
	for _, b := range rows {
		if !long.Full() && b.states > 100_000 {
			continue
		}
		t.Run(name(b.Config), func(t *testing.T) {
			t.Parallel()
			g := explore(t, b.Config)
			t.Logf("%d states, %d edges, depth %d: complete", len(g.States), g.Edges, g.Depth)
			if len(g.States) != b.states || g.Edges != b.edges {
				t.Errorf("%d states and %d edges, want %d and %d", len(g.States), g.Edges, b.states, b.edges)
			}
		})
	}
}

func closed(t *testing.T, g *Graph) {
	edges := 0
	all := g.Config.All()
	for i := range g.States {
		for _, a := range all {
			next, answer := g.Config.Do(g.States[i], a)
			if answer == AnswerRefused {
				if next != g.States[i] || g.Config.Can(&g.States[i], a) {
					t.Fatalf("%v is refused in %s and changes it to %s", a, g.Config.Key(&g.States[i]), g.Config.Key(&next))
				}
				continue
			}
			edges++
			if _, ok := g.Find(next); !ok {
				t.Fatalf("%v leads from %s out of the graph, to %s", a, g.Config.Key(&g.States[i]), g.Config.Key(&next))
			}
		}
	}
	if edges != g.Edges {
		t.Errorf("%d edges, the exploration counted %d", edges, g.Edges)
	}
}

func TestEveryPathLeadsToItsState(t *testing.T) {
	g := explore(t, bounds[0].Config)
	longest := 0
	for i := range g.States {
		s := g.Config.Init()
		path := g.Path(i)
		for _, a := range path {
			s = g.Config.Apply(s, a)
		}
		if s != g.States[i] {
			t.Fatalf("%v leads to %s, not to %s", path, g.Config.Key(&s), g.Config.Key(&g.States[i]))
		}
		longest = max(longest, len(path))
	}
	if longest != g.Depth {
		t.Errorf("the longest path has %d actions, Depth is %d", longest, g.Depth)
	}
}

func injective(t *testing.T, g *Graph) {
	keys := make(map[string]int, len(g.States))
	for i := range g.States {
		key := g.Config.Key(&g.States[i])
		if j, taken := keys[key]; taken {
			t.Fatalf("states %d and %d have the key %q", i, j, key)
		}
		keys[key] = i
	}
}

// whole are machines that have every feature between them.
var whole = []Config{
	{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 1},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1},
	{Fibers: 1, Trampolines: 0, Tokens: 0, Tickets: 1, Masks: 1},
	{Fibers: 1, Trampolines: 0, Tokens: 1, Tickets: 1, Deadlines: 2, Grace: true},
	{Fibers: 2, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 2, AllNest: true}, // the first part of it
	{Fibers: 1, Trampolines: 0, Tokens: 0, Tickets: 1, Moves: true, Outside: true, Lends: true},
	{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Pins: 1, Runs: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Holds: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Free: true},
}

func TestTheTableHasEveryTransitionAndEveryKindAndAnswerOccurs(t *testing.T) {
	kindsSeen := map[Kind]bool{}
	answersSeen := map[Answer]bool{}
	rows := map[Transition]int{}
	for _, row := range Transitions() {
		rows[row] = 0
	}
	for _, c := range whole {
		_, err := c.Explore(30_000, func(g *Graph, e Edge) {
			kindsSeen[e.Action.Kind], answersSeen[e.Answer] = true, true
			for x := range c.Slots() {
				from, to := g.States[e.From].Contexts[x].Status, g.States[e.To].Contexts[x].Status
				if from != to {
					rows[Transition{e.Action.Kind, x.IsTrampoline(), from, to}]++
				}
			}
		})
		if err != nil && !(c.AllNest && errors.Is(err, ErrLimit)) {
			t.Fatalf("%s: %v", name(c), err)
		}
	}
	if len(kindsSeen) != len(Kinds()) {
		t.Errorf("of the kinds %v only %v occur", Kinds(), kindsSeen)
	}
	for a := range Answer(len(answerNames)) {
		if a != AnswerRefused && !answersSeen[a] {
			t.Errorf("answer %v never occurs", a)
		}
	}
	if len(rows) != len(Transitions()) {
		t.Errorf("%d transitions occur, the table has %d", len(rows), len(Transitions()))
	}
	for row, times := range rows {
		if times == 0 {
			t.Errorf("no edge makes the transition %+v", row)
		}
	}
}

func TestEnabledIsAllThatCanBeDone(t *testing.T) {
	g := explore(t, bounds[0].Config)
	edges := 0
	var enabled []Action
	for i := range g.States {
		enabled = g.Config.Enabled(enabled[:0], &g.States[i])
		edges += len(enabled)
	}
	if edges != g.Edges {
		t.Errorf("%d actions are enabled, the graph has %d edges", edges, g.Edges)
	}
}

func TestAnExplorationThatIsCutShortSaysSo(t *testing.T) {
	g, err := small.Explore(1000, nil)
	if !errors.Is(err, ErrLimit) || len(g.States) != 1000 {
		t.Errorf("%d states, error %v; want 1000 and ErrLimit", len(g.States), err)
	}
}

func TestBoundsThatDoNotFitAreAnError(t *testing.T) {
	for _, c := range []Config{
		{}, {Fibers: MaxFibers + 1, Tickets: 1}, {Fibers: 1, Tickets: MaxTickets + 1}, {Fibers: 1},
		{Fibers: 1, Tickets: 1, Trampolines: MaxTrampolines + 1}, {Fibers: 1, Tickets: 1, Tokens: MaxTokens + 1},
		{Fibers: 1, Tickets: 1, Tokens: -1}, {Fibers: 1, Tickets: 1, Bug: 99},
		{Fibers: 1, Tickets: 1, Deadlines: MaxDeadlines + 1}, {Fibers: 1, Tickets: 1, Masks: MaxMasks + 1},
		{Fibers: 1, Tickets: 1, Grace: true}, {Fibers: 1, Tickets: 1, AllNest: true},
		{Fibers: 1, Tickets: 1, Pins: MaxPins + 1}, {Fibers: 1, Tickets: 1, Lives: MaxLives + 1},
	} {
		if _, err := c.Explore(10, nil); !errors.Is(err, ErrBounds) {
			t.Errorf("%+v: error %v, want ErrBounds", c, err)
		}
	}
}

func TestEveryKindIsDescribedInItsPlace(t *testing.T) {
	all := Describe()
	if len(all) != len(Kinds()) {
		t.Errorf("%d descriptions of %d kinds", len(all), len(Kinds()))
	}
	for i, d := range all {
		if int(d.Kind) != i || d.Caller == "" || d.Effect == "" || d.Rules == "" {
			t.Errorf("%v is described at %d as %+v", d.Kind, i, d)
		}
	}
}

// Who may call is as described: what the current fiber does is never enabled without one,
// and what a clock or a pump does never with one.
func TestWhoMayCallIsAsDescribed(t *testing.T) {
	for _, c := range []Config{
		{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 1, Masks: 1, Grace: true},
		{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 2, AllNest: true},
		{Fibers: 1, Trampolines: 0, Tokens: 0, Tickets: 1, Moves: true, Outside: true, Lends: true},
	} {
		g, err := c.Explore(50_000, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range g.States {
			for _, a := range c.Enabled(nil, &g.States[i]) {
				runs := g.States[i].Current != NoSlot
				switch d := Describe()[a.Kind]; d.Caller {
				case byCurrent, byContext:
					if !runs {
						t.Fatalf("%v is enabled though no fiber runs: %s", a, c.Key(&g.States[i]))
					}
				case "the clock", byPump:
					if runs {
						t.Fatalf("%v is enabled though somebody runs: %s", a, c.Key(&g.States[i]))
					}
				}
			}
		}
	}
}
