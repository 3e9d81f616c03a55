package channel

import (
	"cmp"
	"slices"

	"github.com/selvage-dev/selvage/spec/graph"
)

// Check holds a state against the invariants and returns the first breach it finds.
func (c Config) Check(s *State) graph.Breach {
	return cmp.Or(
		graph.Each(uint8(c.Fibers), func(f uint8) graph.Breach { return c.checkFiber(s, f) }),
		graph.Each(c.Channels, func(i int) graph.Breach { return c.checkChannel(s, i) }),
		graph.Each(Value(maxValues), s.checkValue),
	)
}

// checkFiber: a wait that is on stands once in the queue of each of its cases (I9), and
// nothing else does (I10). Exactly those whose receive succeeded have a value (I11).
func (c Config) checkFiber(s *State, fiber uint8) graph.Breach {
	f := &s.Fibers[fiber]
	if idle := *f == (Fiber{Status: f.Status, Number: noNumber, Cases: noFiber.Cases}); idle != (f.Status < Waits) {
		return graph.Breaks(10, "f%d is in status %d with %+v", fiber, f.Status, *f)
	}
	for i := range c.Channels {
		ch := &s.Channels[i]
		for _, end := range [...]struct {
			queue *Queue
			is    Case
		}{{&ch.Receivers, RecvFrom(i)}, {&ch.Senders, SendTo(i)}} {
			for tag := range uint8(2) {
				want := graph.Count(f.Status == Waits && f.Cases[tag] == end.is)
				switch n, strange := times(end.queue, fiber, f.Number, tag); {
				case strange > 0 || n > want:
					return graph.Breaks(10, "f%d is registered for %v without such a wait", fiber, end.is)
				case n < want:
					return graph.Breaks(9, "f%d waits for %v and is not registered", fiber, end.is)
				}
			}
		}
		received := f.Status == Woken && f.Code == OK && f.Cases[f.Tag] == RecvFrom(i)
		if has := ch.Given[fiber] != NoValue; has != received {
			return graph.Breaks(11, "f%d has received: %v, from c%d; a value is assigned: %v", fiber, received, i, has)
		}
	}
	return graph.Breach{}
}

// times is how often a case of a ticket stands in the queue, and how often another ticket
// of the fiber does.
func times(q *Queue, fiber, number, tag uint8) (n, strange int) {
	for _, r := range q.All() {
		switch {
		case r.Fiber != fiber:
		case r.Number != number:
			strange++
		case r.Tag == tag:
			n++
		}
	}
	return n, strange
}

// checkChannel: the buffer holds no more than the capacity (I11), and no fiber waits for
// what is possible (I9).
func (c Config) checkChannel(s *State, i int) graph.Breach {
	ch := &s.Channels[i]
	if ch.Buffer.Len() > c.Capacity[i] {
		return graph.Breaks(11, "c%d buffers %d values", i, ch.Buffer.Len())
	}
	for _, r := range ch.Receivers.All() {
		if ch.Closed || ch.Buffer.Len() > 0 || slices.ContainsFunc(ch.Senders.All(), r.isOther) {
			return graph.Breaks(9, "f%d waits to receive from c%d, and could", r.Fiber, i)
		}
	}
	for _, r := range ch.Senders.All() {
		if ch.Closed || ch.Buffer.Len() < c.Capacity[i] {
			return graph.Breaks(9, "f%d waits to send to c%d, and could", r.Fiber, i)
		}
	}
	return graph.Breach{}
}

func (r Registration) isOther(other Registration) bool { return other.Fiber != r.Fiber }

// checkValue: no value is in two places (I12).
func (s *State) checkValue(v Value) graph.Breach {
	if n := s.Places(v); n > 1 {
		return graph.Breaks(12, "value %d is in %d places", v, n)
	}
	return graph.Breach{}
}
