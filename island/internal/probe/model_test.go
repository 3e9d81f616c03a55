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

// A model of the protocol that is small enough to try every interleaving: islands, each with one
// port, whose fibers send, close and wait, and whose owners go through the steps of Poll and Park.
// A step does at most one thing that another island can see. The model runs on one goroutine and
// uses nothing of the package, so checked builds and race builds leave it out.

var probeLong = flag.Bool("probelong", false, "search through larger models of probes")

const mostModelled = 3

// set is some islands, a bit each.
type set uint8

func (s set) has(i int) bool { return s&(1<<i) != 0 }
func of(i int) set           { return 1 << i }
func (s set) first() int     { return bits.TrailingZeros8(uint8(s)) }

// claim is a statement, or that there is none.
type claim struct {
	made      bool
	gen       uint8
	taken     uint8
	dependsOn set
}

type phase uint8

const (
	runs        phase = iota // its fiber runs
	signaling                // it has sent a value: raising the signal comes next
	top                      // Poll begins
	collecting               // it takes the raised signals
	handling                 // it handles them
	examining                // serveProbes
	answers                  // it is blocked, and answers
	reads                    // the statements of the others
	questioning              // the questions
	questioned               // one: raising the signal comes next
	parking                  // Rest
	sleeping                 // until the inbox wakes it
	gone
)

// none is no round.
const none = -1

// node is an island.
type node struct {
	phase      phase
	to         int8 // signaling, questioned: the receiver
	ready      bool // its fiber was woken
	leaving    bool
	deadlocked bool
	gen        uint8
	taken      uint8 // how often a hold was taken here
	dependsOn  set   // as far as it knows
	in, done   set   // islands whose value or close it has not looked at
	mail       set   // islands with a command in its inbox
	raised     bool
	pending    bool // of the inbox
	inbox      [mostModelled]int8
	questions  [mostModelled]int8
	published  claim
	now        claim // while it answers
	probed     claim
	publishing set // the deadlock to these: by an injected mistake one after the other
	due        bool
	repeat     bool
	started    bool
	round      int8
}

// probing is a round.
type probing struct {
	by         int8
	members    set
	published  [mostModelled]claim
	read       set
	toAsk      set
	missing    set
	inTransit  set // their questions are in transit
	changed    bool
	repeat     bool // it asks also members that have made no statement
	restarting bool // the question to start again is in transit
}

const mostRounds = 6

type state struct {
	nodes  [mostModelled]node
	links  [mostModelled]set // to the port of each: islands with an open Sender
	rounds [mostRounds]probing
	sends  uint8 // still allowed
	closes uint8
	held   set   // islands that something outside of all keeps from being blocked
	moves  uint8 // still allowed
	fault  bool  // more rounds than the model has room for
}

// model is the initial state and the limits.
type model struct {
	islands  int
	links    [mostModelled]set
	sends    uint8
	closes   uint8
	restless set // never go to sleep
	held     set // where a hold is
	moves    uint8
	coarse   bool // a signal is raised in the same step as what it is for
	turns    bool // coarse, and each turn of an owner is one step
	commands bool // what is sent is a command, not a value
	mistake  string
}

type action uint8

const (
	stepping action = iota
	sending
	closing
	blocking
	holding
)

type move struct {
	action action
	by     int
	at     int
}

func (m move) String() string {
	return fmt.Sprintf("%d %s %d", m.by, [...]string{"steps", "sends", "closes", "blocks", "moves its hold to"}[m.action], m.at)
}

type outcome string

func (o outcome) String() string { return string(o) }

func (c model) Valid() error { return nil }

func (c model) All() (all []move) {
	for i := range c.islands {
		all = append(all, move{stepping, i, 0}, move{blocking, i, 0})
		for j := range c.islands {
			if c.held != 0 {
				all = append(all, move{holding, i, j})
			}
			if i != j {
				all = append(all, move{sending, i, j}, move{closing, i, j})
			}
		}
	}
	return all
}

func (c model) Init() (w state) {
	w.links, w.sends, w.closes, w.held, w.moves = c.links, c.sends, c.closes, c.held, c.moves
	for i := range w.nodes {
		a := &w.nodes[i]
		a.dependsOn, a.round = c.links[i], none
		for k := range a.inbox {
			a.inbox[k], a.questions[k] = none, none
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

// stuck is the largest set of islands that only others of them could wake.
func (w *state) stuck() (s set) {
	for i := range w.nodes {
		a := &w.nodes[i]
		if a.phase > signaling && a.phase != gone && !a.ready && !w.held.has(i) && a.in|a.mail == 0 && a.dependsOn&^a.done != 0 {
			s |= of(i)
		}
	}
	for {
		before := s
		for i := range w.nodes {
			if s.has(i) && (w.nodes[i].dependsOn&^w.nodes[i].done)&^s != 0 {
				s &^= of(i)
			}
		}
		if s == before {
			return s
		}
	}
}

func (c model) Check(w *state) graph.Breach {
	if w.fault {
		return graph.Breaks(1, "the model has no room for another round")
	}
	return graph.Breach{}
}

func (c model) CheckStep(from *state, _ move, _ outcome, to *state) graph.Breach {
	was := from.stuck()
	for i := range to.nodes {
		if to.nodes[i].deadlocked && !from.nodes[i].deadlocked && !was.has(i) {
			return graph.Breaks(2, "%d could run", i)
		}
	}
	return graph.Breach{}
}

func (c model) AppendKey(dst []byte, w *state) []byte { return fmt.Appendf(dst, "%v", *w) }

// explore goes through all interleavings, and returns the islands that are in an undetected
// deadlock at the end of one.
func (c model) explore(t *testing.T, most int) (missed set, polls bool, err error) {
	t.Helper()
	var next [][]int32
	g, err := graph.Explore(c, most, func(g *graph.Graph[model, state, move, outcome], e graph.Edge[move, outcome]) {
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
		for k := range w.nodes {
			if w.stuck().has(k) && !w.nodes[k].deadlocked {
				missed |= of(k)
			}
		}
	}
	t.Logf("%d states, %d steps, depth %d", len(g.States), g.Edges, g.Depth)
	return missed, cycles(next), err
}

// cycles tells whether the graph has a cycle.
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

func models() map[string]model {
	each := [mostModelled]set{2, 1}
	all := map[string]model{
		"two that send":              {islands: 2, links: each, sends: 1},
		"two that command":           {islands: 2, links: each, sends: 1, commands: true, coarse: true},
		"two that may leave":         {islands: 2, links: each, closes: 1},
		"two that command twice":     {islands: 2, links: each, sends: 2, commands: true, coarse: true},
		"two, and one that is awake": {islands: 3, links: [mostModelled]set{6, 1, 0}, closes: 1, restless: 4, coarse: true},
		"two, and one that waits":    {islands: 3, links: [mostModelled]set{2, 1, 1}, turns: true},
		"one that waits for two":     {islands: 3, links: [mostModelled]set{6, 1, 1}, turns: true},
		"three in a ring":            {islands: 3, links: [mostModelled]set{2, 4, 1}, turns: true},
		"two, and a hold that moves": {islands: 2, links: each, held: 1, moves: 3, coarse: true},
	}
	if *probeLong {
		all["two that send twice"] = model{islands: 2, links: each, sends: 2, closes: 1}
		all["one that waits for two, one of which may leave"] = model{islands: 3, links: [mostModelled]set{6, 5, 1}, closes: 1, turns: true}
		for _, name := range []string{"two, and one that waits", "one that waits for two", "three in a ring"} {
			c := all[name]
			c.sends = 1
			all[name+", and send"] = c
		}
	}
	return all
}

// No interleaving reports a deadlock of islands that could run, ends with an undetected deadlock, or
// goes on without end.
func TestEveryInterleavingOfTheModel(t *testing.T) {
	for name, c := range models() {
		t.Run(name, func(t *testing.T) {
			missed, polls, err := c.explore(t, 20_000_000)
			require.NoError(t, err)
			require.Zero(t, missed, "an island is in an undetected deadlock")
			require.False(t, polls, "the islands can probe without end")
		})
	}
}

// The search must be able to fail.
func TestTheModelFindsEachInjectedMistake(t *testing.T) {
	for mistake, name := range map[string]string{
		"answers before it has looked":     "two that command twice",
		"does not answer when it is woken": "two that may leave",
		"probes once":                      "two, and one that is awake",
		"any statement is accepted":        "two, and a hold that moves",
		"reports an island twice":          "two, and one that waits",
		"publishes one after the other":    "two that may leave",
		"does not count holds":             "two, and a hold that moves",
	} {
		t.Run(mistake, func(t *testing.T) {
			c := models()[name]
			c.mistake = mistake
			missed, polls, err := c.explore(t, 1_000_000)
			require.True(t, missed != 0 || polls || err != nil)
		})
	}
}
