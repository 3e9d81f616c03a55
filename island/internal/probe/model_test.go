//go:build !invariants && !race

package probe_test

import (
	"flag"
	"fmt"
	"math/bits"
	"testing"

	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/stretchr/testify/require"
)

// The probe as a machine small enough that every order of its steps can be tried: islands, each
// with one port, whose fibers send, close and wait, and whose owners go through the steps of
// Poll and Park. A step does no more than one thing that another island can see. All of it is in
// one goroutine and uses nothing of the package, so one build is enough.

var probeLong = flag.Bool("probelong", false, "search through larger models of probes")

const mostModelled = 3

// set is some islands, a bit each.
type set uint8

func (s set) has(i int) bool { return s&(1<<i) != 0 }
func of(i int) set           { return 1 << i }
func (s set) first() int     { return bits.TrailingZeros8(uint8(s)) }

// claim is a statement.
type claim struct {
	made bool
	gen  uint8
	upon set
}

type phase uint8

const (
	runs     phase = iota // its fiber runs
	ringing               // it is in the midst of a send: the bell comes next
	top                   // Poll begins
	hearing               // it looks for bells that have rung
	heard                 // it has, and looks at what they are about
	looks                 // serveProbes
	answers               // it is stuck, and answers
	reads                 // the statements of the others
	poses                 // the questions
	posed                 // one: the bell comes next
	rests                 // Rest
	sleeping              // until the inbox wakes it
	gone
)

// none is no round.
const none = -1

// actor is an island.
type actor struct {
	phase     phase
	to        int8 // ringing, posed: at whom
	ready     bool // its fiber was woken
	leaving   bool
	convicted bool
	gen       uint8
	upon      set // as far as it has heard
	in, done  set // who has put a value into its port, or closed, and it has not looked
	mail      set // who has put a command into its inbox
	news      bool
	pending   bool // of the inbox
	put       [mostModelled]int8
	later     [mostModelled]int8
	said      claim
	now       claim // while it answers
	asked     claim
	telling   set // that they are in deadlock: only by mistake one after the other
	due       bool
	again     bool
	tried     bool
	round     int8
}

// probing is a round.
type probing struct {
	by    int8
	asks  set
	said  [mostModelled]claim
	read  set
	toAsk set
	open  set
	on    set // their questions are on their way
	news  bool
	back  bool // on its way to the one that asked: look again
}

const mostRounds = 6

type scene struct {
	actors [mostModelled]actor
	links  [mostModelled]set // to the port of each: who has a Sender that is open
	rounds [mostRounds]probing
	sends  uint8 // still allowed
	closes uint8
	fault  bool // more rounds than the model has room for
}

// troupe is what the islands begin with.
type troupe struct {
	islands  int
	links    [mostModelled]set
	sends    uint8
	closes   uint8
	restless set  // never go to sleep
	coarse   bool // a bell rings in the same step as what it is for
	turns    bool // coarse, and each turn of an owner is one step
	commands bool // what is sent lies in the inbox, not in the port
	mistake  string
}

type deed uint8

const (
	stepping deed = iota
	sending
	closing
	blocking
)

type move struct {
	deed deed
	by   int
	at   int
}

func (m move) String() string {
	return fmt.Sprintf("%d %s %d", m.by, [...]string{"steps", "sends", "closes", "blocks"}[m.deed], m.at)
}

type outcome string

func (o outcome) String() string { return string(o) }

func (c troupe) Valid() error { return nil }

func (c troupe) All() (all []move) {
	for i := range c.islands {
		all = append(all, move{stepping, i, 0}, move{blocking, i, 0})
		for j := range c.islands {
			if i != j {
				all = append(all, move{sending, i, j}, move{closing, i, j})
			}
		}
	}
	return all
}

func (c troupe) Init() (w scene) {
	w.links, w.sends, w.closes = c.links, c.sends, c.closes
	for i := range w.actors {
		a := &w.actors[i]
		a.upon, a.round = c.links[i], none
		for k := range a.put {
			a.put[k], a.later[k] = none, none
		}
		if i >= c.islands {
			a.phase = gone
		}
	}
	for k := range w.rounds {
		w.rounds[k].by = none
	}
	return w
}

// stuck is the largest set of islands that only others of them could help.
func (w *scene) stuck() (s set) {
	for i := range w.actors {
		a := &w.actors[i]
		if a.phase > ringing && a.phase != gone && !a.ready && a.in|a.mail == 0 && a.upon&^a.done != 0 {
			s |= of(i)
		}
	}
	for {
		before := s
		for i := range w.actors {
			if s.has(i) && (w.actors[i].upon&^w.actors[i].done)&^s != 0 {
				s &^= of(i)
			}
		}
		if s == before {
			return s
		}
	}
}

func (c troupe) Check(w *scene) graph.Breach {
	if w.fault {
		return graph.Breaks(1, "the model has no room for another round")
	}
	return graph.Breach{}
}

func (c troupe) CheckStep(from *scene, _ move, _ outcome, to *scene) graph.Breach {
	was := from.stuck()
	for i := range to.actors {
		if to.actors[i].convicted && !from.actors[i].convicted && !was.has(i) {
			return graph.Breaks(2, "%d could go on", i)
		}
	}
	return graph.Breach{}
}

func (c troupe) AppendKey(dst []byte, w *scene) []byte { return fmt.Appendf(dst, "%v", *w) }

// explore goes through all orders, and gives those who are in deadlock at the end and do not know.
func (c troupe) explore(t *testing.T, most int) (missed set, polls bool, err error) {
	t.Helper()
	var next [][]int32
	g, err := graph.Explore(c, most, func(g *graph.Graph[troupe, scene, move, outcome], e graph.Edge[move, outcome]) {
		for len(next) < len(g.States) {
			next = append(next, nil)
		}
		next[e.From] = append(next[e.From], int32(e.To))
	})
	for i := range g.States {
		w := &g.States[i]
		if i < len(next) && len(next[i]) > 0 {
			continue
		}
		for k := range w.actors {
			if w.stuck().has(k) && !w.actors[k].convicted {
				missed |= of(k)
			}
		}
	}
	t.Logf("%d states, %d steps, depth %d", len(g.States), g.Edges, g.Depth)
	return missed, cycles(next), err
}

// cycles tells whether one can go round in the graph.
func cycles(next [][]int32) bool {
	into := make([]int32, len(next)+1)
	for _, to := range next {
		for _, n := range to {
			for int(n) >= len(into) {
				into = append(into, 0)
			}
			into[n]++
		}
	}
	free, left := []int32{}, len(into)
	for n, k := range into {
		if k == 0 {
			free = append(free, int32(n))
		}
	}
	for len(free) > 0 {
		n := free[len(free)-1]
		free = free[:len(free)-1]
		left--
		if int(n) >= len(next) {
			continue
		}
		for _, m := range next[n] {
			if into[m]--; into[m] == 0 {
				free = append(free, m)
			}
		}
	}
	return left > 0
}

func troupes() map[string]troupe {
	each := [mostModelled]set{2, 1}
	all := map[string]troupe{
		"two that send":              {islands: 2, links: each, sends: 1},
		"two that command":           {islands: 2, links: each, sends: 1, commands: true, coarse: true},
		"two that may leave":         {islands: 2, links: each, closes: 1},
		"two, and one that is awake": {islands: 3, links: [mostModelled]set{6, 1, 0}, closes: 1, restless: 4, coarse: true},
		"two, and one that waits":    {islands: 3, links: [mostModelled]set{2, 1, 1}, turns: true},
		"one that waits for two":     {islands: 3, links: [mostModelled]set{6, 1, 1}, turns: true},
		"three in a ring":            {islands: 3, links: [mostModelled]set{2, 4, 1}, turns: true},
	}
	if *probeLong {
		all["two that send twice"] = troupe{islands: 2, links: each, sends: 2, closes: 1}
		all["one that waits for two, one of whom may leave"] = troupe{islands: 3, links: [mostModelled]set{6, 5, 1}, closes: 1, turns: true}
		for _, name := range []string{"two, and one that waits", "one that waits for two", "three in a ring"} {
			c := all[name]
			c.sends = 1
			all[name+", and send"] = c
		}
	}
	return all
}

// No order has somebody in deadlock who is not, or ends with one who is and does not know, or goes
// on for ever.
func TestEveryInterleavingOfTheModel(t *testing.T) {
	for name, c := range troupes() {
		t.Run(name, func(t *testing.T) {
			missed, polls, err := c.explore(t, 20_000_000)
			require.NoError(t, err)
			require.Zero(t, missed, "somebody is in deadlock and does not know")
			require.False(t, polls, "they can go on asking for ever")
		})
	}
}

// The search must be able to fail.
func TestTheModelFindsEachInjectedMistake(t *testing.T) {
	for mistake, name := range map[string]string{
		"answers before it has looked":      "two that command",
		"does not answer when it is roused": "two that may leave",
		"asks once":                         "two, and one that is awake",
		"anything said is good":             "two that may leave",
		"convicts who was told":             "two, and one that waits",
		"tells one after the other":         "two that may leave",
	} {
		t.Run(mistake, func(t *testing.T) {
			c := troupes()[name]
			c.mistake = mistake
			missed, polls, err := c.explore(t, 1_000_000)
			require.True(t, missed != 0 || polls || err != nil)
		})
	}
}
