package proptest

import (
	"fmt"

	"github.com/selvage-dev/selvage/spec"
)

// patrol follows the edges of a graph with a real scheduler.
//
// To make a scheduler costs more than to replay a path, so one lives for many paths:
// between two of them it is led home by legal actions. That its slots have lived
// before, and that its ticket numbers go on, is more than a new one would show.
type patrol struct {
	graph *spec.Graph
	fresh func() *Lockstep
	life  int // of a scheduler, in edges; 1 makes a new one for every path
	born  int // the edge at which this one was made
	walk  *Lockstep
	at    int // the state both are in; -1 for one off the path
	log   []spec.Action
	path  []int
	acts  []spec.Action

	edges, steps, schedulers int
}

// aLife is after how many edges a scheduler is replaced. It bounds the list of actions
// that a failure must be looked for in.
const aLife = 200

func newPatrol(g *spec.Graph, host Host) *patrol {
	life := aLife
	if g.Config.Lives > 0 {
		life = 1 // a fiber does not return from a retired slot
	}
	return &patrol{graph: g, life: life, fresh: func() *Lockstep { return NewLockstep(g.Config, host) }}
}

// visit follows every edge that leaves state i, each from state i.
func (p *patrol) visit(i int) error {
	from := &p.graph.States[i]
	p.acts = p.graph.Config.Enabled(p.acts[:0], from)
	for _, away := range [...]bool{false, true} { // edges that stay need no way back
		for _, a := range p.acts {
			if leads := p.graph.Config.Apply(*from, a) != *from; leads != away {
				continue
			}
			if err := p.follow(i, a); err != nil {
				return p.failed(i, a, err)
			}
		}
	}
	return nil
}

// follow goes to state i and performs a there.
func (p *patrol) follow(i int, a spec.Action) error {
	if p.at != i || p.walk == nil {
		if err := p.goTo(i); err != nil {
			return err
		}
	}
	p.edges++
	err := p.step(a)
	if err == nil {
		err = p.walk.Match(&p.walk.State)
	}
	if p.walk.State != p.graph.States[i] {
		p.at = -1
	}
	return err
}

// goTo leads the scheduler home and along the shortest path to state i.
func (p *patrol) goTo(i int) error {
	if err := p.restart(); err != nil {
		return err
	}
	p.path = p.path[:0]
	for j := i; j > 0; j = p.graph.Parent[j] {
		p.path = append(p.path, j)
	}
	for n := len(p.path) - 1; n >= 0; n-- {
		if err := p.step(p.graph.Via[p.path[n]]); err != nil {
			return err
		}
	}
	p.at = i
	return nil
}

func (p *patrol) restart() error {
	if p.walk == nil || p.edges-p.born >= p.life {
		p.walk = p.fresh()
		p.born = p.edges
		p.schedulers++
		p.log = p.log[:0]
		return nil
	}
	for {
		a, ok := Drain(p.walk.Model, &p.walk.State)
		if !ok {
			return nil
		}
		if err := p.step(a); err != nil {
			return err
		}
	}
}

func (p *patrol) step(a spec.Action) error {
	p.steps++
	p.log = append(p.log, a)
	return p.walk.Do(a)
}

// failed explains a failure by the path to the edge alone if a new scheduler fails
// there too, else by what the scheduler lived through, made as short as can be.
func (p *patrol) failed(i int, a spec.Action, err error) error {
	if f := Replay(p.fresh, append(p.graph.Path(i), a)); f != nil {
		return f
	}
	if f := Shrink(p.fresh, p.log); f != nil {
		return f
	}
	return fmt.Errorf("edge %v of state %d, which a replay does not show: %w", a, i, err)
}
