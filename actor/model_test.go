package actor_test

import (
	"fmt"
	"slices"
)

// model is a deliberately dumb twin of a system: a list of commands and a list of actors.
// Its programs are those of random_test.go.
type model struct {
	queue    []func()
	actors   []*modelled
	log      []string // all that happens, in order
	limit    int
	programs [][]act
}

type modelled struct {
	number   int
	children []*modelled
	dead     bool
}

func newModel(programs [][]act, limit int) *model {
	m := &model{limit: limit, programs: programs}
	m.add()
	return m
}

func (m *model) add() *modelled {
	a := &modelled{number: len(m.actors)}
	m.actors = append(m.actors, a)
	return a
}

func (m *model) run() {
	for len(m.queue) > 0 {
		next := m.queue[0]
		m.queue = m.queue[1:]
		next()
	}
}

// whom is the actor of a number, or none.
func (m *model) whom(n int) *modelled {
	if n %= len(m.actors) + 1; n < len(m.actors) {
		return m.actors[n]
	}
	return nil
}

func (m *model) push(f func()) { m.queue = append(m.queue, f) }

// perform is what an actor does with a message.
func (m *model) perform(a *modelled, hops int) {
	for i, act := range m.programs[a.number%len(m.programs)] {
		to := m.whom(act.whom)
		switch act.op {
		case doSpawn:
			if m.living() < m.limit {
				child := m.add()
				m.push(func() { m.begin(a, child) })
			}
		case doSend:
			m.push(func() { m.handle(to, letter{from: a.number, nth: i, hops: hops - 1}) })
		case doKill:
			m.push(func() { m.kill(to) })
		case doPanic:
			m.kill(a)
			return
		}
	}
}

func (m *model) living() (n int) {
	for _, a := range m.actors {
		if !a.dead {
			n++
		}
	}
	return n
}

func (m *model) begin(parent, child *modelled) {
	if parent.dead {
		m.remove(child)
		return
	}
	parent.children = append(parent.children, child)
}

func (m *model) handle(to *modelled, l letter) {
	if to == nil || to.dead {
		m.log = append(m.log, fmt.Sprintf("%v is dead", l))
		return
	}
	m.log = append(m.log, fmt.Sprintf("%d handles %v", to.number, l))
	if l.hops > 0 {
		m.perform(to, l.hops)
	}
}

func (m *model) kill(a *modelled) {
	if a == nil || a.dead {
		return
	}
	for _, child := range slices.Backward(a.children) {
		m.kill(child)
	}
	m.remove(a)
}

func (m *model) remove(a *modelled) {
	a.dead = true
	m.log = append(m.log, fmt.Sprintf("%d ends", a.number))
}
