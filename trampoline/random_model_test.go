package trampoline_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/selvage-dev/selvage/fiber"
)

// A program of the random test: code of guests that calls native code, which calls guests. Instants
// do not tie: waits take multiples of 4, a cancellation comes 1 after one of them and a kill 2.

// proc is one function of a guest: its code, and at most one deferred call.
type proc struct {
	code     []action
	deferred []action
	defers   bool // it has the deferred call, whose code may be empty
	recovers bool
}

type actionKind uint8

const (
	sleeps actionKind = iota
	yields
	operates
	panics
	calls
	kinds
)

type action struct {
	kind actionKind
	d    fiber.Time // of sleeps and operates
	v    int        // of panics
	kids []*proc    // of calls: native code calls each until one fails
	more bool       // of calls: native code calls again after a failure
}

const maxDepth = 8

// draw makes a random function. calm: nothing in it fails.
func draw(rng *rand.Rand, depth int, calm bool) *proc {
	p := &proc{code: drawCode(rng, depth, calm)}
	if rng.IntN(3) == 0 {
		p.defers, p.recovers = true, rng.IntN(2) == 0
		p.deferred = drawCode(rng, min(depth+3, maxDepth), true)
	}
	return p
}

func drawCode(rng *rand.Rand, depth int, calm bool) (code []action) {
	for range rng.IntN(4) {
		a := action{kind: actionKind(rng.IntN(int(kinds))), d: fiber.Time(4 * rng.IntN(3)), v: rng.IntN(1000), more: rng.IntN(2) == 0}
		switch {
		case a.kind == panics && (calm || rng.IntN(2) == 0):
			continue
		case a.kind == calls && depth == maxDepth:
			continue
		case a.kind == calls:
			for range 1 + rng.IntN(2) {
				a.kids = append(a.kids, draw(rng, depth+1+rng.IntN(2)*rng.IntN(2), calm))
			}
		}
		code = append(code, a)
	}
	return code
}

// ending is how a function or a fiber ends.
type ending struct {
	kind  string // "done", "panic", "cancelled", "killed"
	value int
}

var ended = ending{kind: "done"}

// model runs a program by plain recursion, in the time of its waits.
type model struct {
	now              fiber.Time
	cancelAt, killAt fiber.Time // fiber.Never: it is not
	received         bool       // the cancellation
	log              []string
}

func (m *model) say(format string, args ...any) {
	m.log = append(m.log, fmt.Sprintf("%d: ", m.now)+fmt.Sprintf(format, args...))
}

func (m *model) proc(p *proc) ending {
	e := m.body(p.code)
	if !p.defers || e.kind == "killed" {
		return e
	}
	m.say("deferred code begins")
	switch inner := m.body(p.deferred); {
	case inner.kind != "done":
		return inner
	case e.kind == "done":
		return e
	}
	if p.recovers {
		if m.say("recovers: %v", e.kind == "panic"); e.kind == "panic" {
			return ended
		}
	}
	return e
}

func (m *model) body(code []action) ending {
	for _, a := range code {
		e := ended
		switch a.kind {
		case sleeps, operates:
			e = m.wait(a.d)
		case panics:
			e = ending{"panic", a.v}
		case calls:
			e = m.native(a)
		}
		if e != ended {
			return e
		}
	}
	return ended
}

func (m *model) native(a action) ending {
	for _, kid := range a.kids {
		e := m.proc(kid)
		if e.kind == "killed" {
			return e
		}
		if m.say("native code: %s %d", e.kind, e.value); e != ended {
			return e
		}
	}
	return ended
}

func (m *model) wait(d fiber.Time) ending {
	until := m.now + d
	cancels := !m.received && m.cancelAt > m.now && m.cancelAt < until
	switch {
	case m.killAt > m.now && m.killAt < until && (!cancels || m.killAt < m.cancelAt):
		m.now = m.killAt
		return ending{kind: "killed"}
	case cancels:
		m.now, m.received = m.cancelAt, true
		m.say("cancelled")
		return ending{kind: "cancelled"}
	}
	m.now = until
	m.say("waited")
	return ended
}
