package proptest

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/wait"
)

// object is one real waiting object as an attendant uses it for a crowd.
type object interface {
	// source is what the fiber waits on.
	source(a act) fiber.Source
	// do is one of the object's own verbs, by the fiber that runs; wakes are delivered.
	do(g *attendant, a act) (reply, error)
	// park registers the ticket; the fiber has been found to block.
	park(g *attendant, t fiber.Ticket, a act) error
	// collect takes what the claimed wait brought, and says it.
	collect(g *attendant, who uint8, t fiber.Ticket, res fiber.Result) reply
	// refusal is the error that do or park must give; nil where nobody can ask.
	refusal(c *crowd, a act) error
}

// attendant performs the actions of a crowd on a real object, with a real scheduler around
// both.
type attendant struct {
	*stage
	object
}

// perform is what do of a guide is, whatever the type of its model's states.
func (g *attendant) perform(a act) (reply, error) {
	g.step++
	switch a.verb {
	case vSpawn:
		return done, g.spawn(a.who)
	case vKill:
		return done, g.kill(a.who)
	case vGiveUp:
		return done, g.giveUp(a.who)
	case vClaim:
		res, err := g.claim(a.who)
		return g.collect(g, a.who, g.fibers[a.who].ticket, res), err
	case vWait:
		return done, g.wait(a)
	case vRepair, vTick:
		return g.do(g, a)
	}
	if err := g.mount(a.who); err != nil {
		return "", err
	}
	return g.do(g, a)
}

// wait arms, registers and blocks, in the cheap way every other time.
func (g *attendant) wait(a act) error {
	if err := g.mount(a.who); err != nil {
		return err
	}
	arm := func() fiber.Ticket { return g.Arm(fiber.OnQueue(), g.source(a)) }
	if g.odd() {
		arm = func() fiber.Ticket { return g.ArmOn(g.source(a)) }
	}
	t := arm()
	if err := g.park(g, t, a); err != nil {
		g.Disarm()
		return err
	}
	return g.block(a.who, t)
}

// refuse has the object asked for what the state does not enable.
func (g *attendant) refuse(c *crowd, a act) error {
	g.step++
	ready := c.people[a.who].stands == isReady
	switch a.verb {
	case vSpawn, vClaim:
		return nil // nobody can ask for it
	case vKill:
		return wanted(g.Kill(g.fibers[a.who].id, nil), scheduler.ErrGone)
	case vGiveUp:
		return g.tooLate(a.who)
	}
	want := g.refusal(c, a)
	if !ready && a.verb != vRepair && a.verb != vTick || want == nil {
		return nil // who does not run asks for nothing
	}
	_, err := g.perform(a)
	return wanted(err, want)
}

// compare is what match of a guide is.
func (g *attendant) compare(c *crowd) error {
	for who, p := range c.people[:len(g.fibers)] {
		if err := g.match(uint8(who), p.stands == isDead, p.stands == isWaiting); err != nil {
			return err
		}
	}
	g.Inspect().Verify()
	return nil
}

// id is the fiber that plays somebody.
func (g *attendant) id(who uint8) fiber.ID { return g.fibers[who].id }

// deliver is the end of a verb that wakes: what the object decided is done.
func (g *attendant) deliver(r reply, wakes []fiber.Wakeup, err error) (reply, error) {
	if err != nil {
		return "", err
	}
	return r, g.apply(wakes...)
}

// told is the reply that stands for an error of the table, or the error.
func told(err error, words map[error]reply) (reply, error) {
	for known, word := range words {
		if errors.Is(err, known) {
			return word, nil
		}
	}
	return "", err
}

// differs is what an object shows and the model does not.
func differs(o, model any) error { return fmt.Errorf("%v, the model has %+v", o, model) }

// errNothing: what was asked for is not there.
var errNothing = errors.New("there is nothing to do")

// crowdGuide makes an attendant the guide of a model with a crowd in its state.
type crowdGuide[S any] struct {
	*attendant
	crowd func(*S) *crowd
	seen  func(*S) error // compares what the object shows
}

func (g *crowdGuide[S]) do(_ *S, a act, _ *S) (reply, error) { return g.perform(a) }
func (g *crowdGuide[S]) refuses(s *S, a act) error           { return g.refuse(g.crowd(s), a) }

func (g *crowdGuide[S]) match(s *S) error {
	if err := g.compare(g.crowd(s)); err != nil {
		return err
	}
	return g.seen(s)
}

// crowdPlay is a play with a crowd. fresh makes the object, and how to compare it.
func crowdPlay[M graph.Machine[S, act, reply], S comparable](
	title string, people int, m M, c func(*S) *crowd, fresh func(*attendant) func(*S) error,
) drama {
	return &play[M, S, act, reply]{title: fmt.Sprintf("%s %+v", title, m), model: m, fresh: func() guide[S, act, reply] {
		g := &attendant{stage: newStage(people)}
		return &crowdGuide[S]{g, c, fresh(g)}
	}}
}

// policyOf is what happens at the death of an owner.
func policyOf(handOn bool) wait.OwnerDeath {
	if handOn {
		return wait.HandOn
	}
	return wait.Poison
}
