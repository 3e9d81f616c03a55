package faults

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// standing is what a token may still do.
type standing uint8

const (
	never     standing = iota // it was not given out here
	underWay                  // no fiber waits for it yet
	awaited                   // its fiber waits
	abandoned                 // its fiber has given up, or has died
	completed                 // its completion waits for the fiber
	over                      // nothing, forever
)

// ledger is what is known of every token: a model of ioqueue as dumb as can be.
type ledger struct {
	tokens map[fiber.Token]*entry
	counts ioqueue.Counters // Submitted, Completed, Late, Duplicate and Unknown of them
}

type entry struct {
	standing standing
	value    ioqueue.Completion // the one that counts
	dropped  bool               // by the device, on purpose: nothing will come
}

func (l *ledger) submit(tok fiber.Token) {
	l.tokens[tok] = &entry{standing: underWay}
	l.counts.Submitted++
}

// complete says how a completion must be answered, and notes what it does.
func (l *ledger) complete(tok fiber.Token, c ioqueue.Completion) ioqueue.Verdict {
	e := l.tokens[tok]
	if e == nil {
		l.counts.Unknown++
		return ioqueue.Unknown
	}
	switch e.standing {
	case underWay, awaited:
		v := ioqueue.Early
		if e.standing == awaited {
			v = ioqueue.Deliver
		}
		e.standing, e.value = completed, c
		l.counts.Completed++
		return v
	case abandoned:
		e.standing = over
		l.counts.Late++
		return ioqueue.Late
	}
	l.counts.Duplicate++
	return ioqueue.Duplicate
}

// waits notes that the fiber waits; false: its completion is there already.
func (l *ledger) waits(tok fiber.Token) bool {
	e := l.tokens[tok]
	if e.standing == completed {
		return false
	}
	e.standing = awaited
	return true
}

// gives up: the wait has ended without the completion, or the fiber has died.
func (l *ledger) givesUp(tok fiber.Token) {
	switch e := l.tokens[tok]; e.standing {
	case underWay, awaited:
		e.standing = abandoned
	case completed:
		e.standing = over
	}
}

// takes is what the fiber must find that collects its completion.
func (l *ledger) takes(tok fiber.Token) ioqueue.Completion {
	e := l.tokens[tok]
	e.standing = over
	return e.value
}
