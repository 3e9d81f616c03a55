package proptest

import (
	"fmt"

	"github.com/selvage-dev/selvage/spec/graph"
)

// The models of the objects that have none in spec are as dumb as can be: people, and a
// line. Each object adds what it gives out, and when.

// most is how many people a model has room for.
const most = 4

// verb is a kind of action, in the words of the object.
type verb string

// These are the verbs of every fiberSet. What the others mean is the object's.
const (
	vSpawn  verb = "Spawn"
	vKill   verb = "Kill"
	vGiveUp verb = "GiveUp" // a deadline, a cancel
	vClaim  verb = "Claim"  // how the wait ended
	vWait   verb = "Wait"   // park, when the object would block
	vRepair verb = "Repair" // by the test, not by a fiber
	vTick   verb = "Tick"   // time passes
)

// act is one action: who does it, and how much of what.
type act struct {
	verb verb
	who  uint8
	n    uint8
}

func (a act) String() string { return fmt.Sprintf("%s p%d %d", a.verb, a.who, a.n) }

// reply is what the caller is told.
type reply string

func (r reply) String() string { return string(r) }

const (
	done  reply = "-"
	quits reply = "quit"
)

// stands is what a person does.
type stands uint8

const (
	isDead stands = iota
	isReady
	isWaiting
	isWoken
)

// person is a fiber as an object sees it.
type person struct {
	stands stands
	how    reply // how its wait ended, while it is woken
	wants  uint8 // what it waits for
	has    uint8 // what it holds
}

// fiberSet is all fibers, and the line they wait in.
type fiberSet struct {
	people [most]person
	line   [most]uint8
	length uint8
}

func (c *fiberSet) queue() []uint8 { return c.line[:c.length] }

func (c *fiberSet) parks(who, wants uint8) {
	c.people[who].stands, c.people[who].wants = isWaiting, wants
	c.line[c.length] = who
	c.length++
}

// leaves takes a fiber out of the line, if it stands there.
func (c *fiberSet) leaves(who uint8) {
	for i, w := range c.queue() {
		if w == who {
			copy(c.line[i:], c.line[i+1:c.length])
			c.length--
			c.line[c.length] = 0
			return
		}
	}
}

// wakes ends a wait.
func (c *fiberSet) wakes(who uint8, how reply) {
	c.leaves(who)
	c.people[who].stands, c.people[who].how = isWoken, how
}

// wakesAll ends the waits of all fibers in the line.
func (c *fiberSet) wakesAll(how reply) {
	for c.length > 0 {
		c.wakes(c.line[0], how)
	}
}

// common performs the verbs of every fiberSet; false if the state does not enable it. What
// follows from a death or a wait given up is the object's.
func (c *fiberSet) common(a act) (reply, bool) {
	p := &c.people[a.who]
	switch {
	case a.verb == vSpawn && p.stands == isDead:
		*p = person{stands: isReady}
	case a.verb == vKill && p.stands != isDead:
		c.leaves(a.who)
		*p = person{}
	case a.verb == vGiveUp && p.stands == isWaiting:
		c.wakes(a.who, quits)
	case a.verb == vClaim && p.stands == isWoken:
		how := p.how
		p.stands, p.how, p.wants = isReady, "", 0
		return how, true
	default:
		return "", false
	}
	return done, true
}

// simple is what the models of crowds, with states S, need not say themselves.
type simple[S any] struct{}

func (simple[S]) Valid() error                              { return nil }
func (simple[S]) AppendKey(dst []byte, s *S) []byte         { return fmt.Appendf(dst, "%+v", *s) }
func (simple[S]) CheckStep(*S, act, reply, *S) graph.Breach { return graph.Breach{} }

// actions are the verbs for each of the people, each with 0, or with 1 to n where the
// verb counts something.
func actions(people int, counts map[verb]int, verbs ...verb) (all []act) {
	for who := range uint8(people) {
		for _, v := range append([]verb{vSpawn, vKill, vGiveUp, vClaim}, verbs...) {
			if counts[v] == 0 {
				all = append(all, act{verb: v, who: who})
			}
			for n := range counts[v] {
				all = append(all, act{v, who, uint8(n) + 1})
			}
		}
	}
	return all
}

// checkLine: a fiber that waits stands in the line, once, and no other fiber does.
func (c *fiberSet) checkLine() graph.Breach {
	var times [most]int
	for _, who := range c.queue() {
		times[who]++
	}
	for who, p := range c.people {
		if want := p.stands == isWaiting; times[who] > 1 || (times[who] == 1) != want {
			return graph.Breaks(10, "p%d is in the line %d times and waits: %v", who, times[who], want)
		}
	}
	return graph.Breach{}
}
