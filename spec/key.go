package spec

import "github.com/selvage-dev/selvage/spec/graph"

// Key is the text of a state, one digit or letter a field, exactly as scheduler.pml
// built with -DLTS prints it. Two reachable states have the same Key iff they are ==.
//
// Its words, in order: for every slot its status (drw, q for Blocked(Queue), i for
// Blocked(IO), t for Blocked(Timer)), its latch, its current ticket number and the hands of its tickets; for
// every regular slot its frames flag, whether it is doomed, cancel and chain; the ready queue and
// ">" and current; for every token its state, owner, waiter and whether it is flying; for
// every deadline its holder and whether nothing else is waited for; for every
// regular slot its masks; whose grace period runs; for every regular slot whether it
// nests and whether a Fatal panic is in force, and "/" and the pins; for every slot how many
// generations it has had; for every regular slot whether it is movable and tied; for
// every slot whether its wait ends from outside, and whether anything is promised; for every regular slot whether it is lent;
// the verdict of the run; for every regular slot whether it is held.
func (c Config) Key(s *State) string { return string(c.AppendKey(nil, s)) }

// AppendKey appends the Key of s to dst.
func (c Config) AppendKey(dst []byte, s *State) []byte {
	for x := range c.Slots() {
		ctx := &s.Contexts[x]
		dst = append(dst, "drwqit"[ctx.Status], graph.Digit(uint8(ctx.Latch)), graph.Digit(uint8(ctx.Seq)))
		for n := range c.Tickets {
			dst = append(dst, graph.Digit(uint8(ctx.Hands[n])))
		}
		dst = append(dst, ' ')
	}
	for f := range c.Fibers {
		root := &s.Fibers[f]
		dst = append(dst, graph.Bit(root.Frames), graph.Bit(root.Doomed), graph.Digit(uint8(root.Cancel)))
		for t := range c.Trampolines {
			dst = append(dst, index(root.Chain[t]))
		}
		dst = append(dst, ' ')
	}
	for i := range c.Fibers {
		dst = append(dst, index(s.Ready[i]))
	}
	dst = append(dst, '>', index(s.Current))
	for k := range c.Tokens {
		t := &s.Tokens[k]
		dst = append(dst, ' ', graph.Digit(uint8(t.State)), index(t.Owner), index(t.Waiter), graph.Bit(t.Flying))
	}
	for d := range c.Deadlines {
		t := s.Deadlines[d]
		dst = append(dst, ' ', pool(t.Holder), index(t.Holder), graph.Bit(t.Alone))
	}
	if c.Masks > 0 {
		dst = append(dst, ' ')
		for f := range c.Fibers {
			dst = append(dst, graph.Digit(s.Fibers[f].Masks))
		}
	}
	if c.Grace {
		dst = append(dst, ' ', index(s.Grace))
	}
	if c.Pins > 0 {
		dst = c.appendPins(append(dst, ' '), s)
	}
	if c.Lives > 0 {
		dst = append(dst, ' ')
		for x := range c.Slots() {
			dst = append(dst, graph.Digit(s.Contexts[x].Life))
		}
	}
	return c.appendTies(dst, s)
}

func (c Config) appendTies(dst []byte, s *State) []byte {
	if c.Moves {
		dst = append(dst, ' ')
		for f := range c.Fibers {
			dst = append(dst, graph.Bit(s.Fibers[f].Movable), graph.Bit(s.Fibers[f].Tied))
		}
	}
	if c.Outside {
		dst = append(dst, ' ')
		for x := range c.Slots() {
			dst = append(dst, graph.Bit(s.Contexts[x].Outside))
		}
		dst = append(dst, graph.Bit(s.Promised))
	}
	if c.Lends {
		dst = append(dst, ' ')
		for f := range c.Fibers {
			dst = append(dst, graph.Bit(s.Fibers[f].Lent))
		}
	}
	if c.Runs {
		dst = append(dst, ' ', [...]byte{NoAnswer: '-', AnswerDeadlock: 'D', AnswerStackInversion: 'I'}[s.Verdict])
	}
	if c.Holds {
		dst = append(dst, ' ')
		for f := range c.Fibers {
			dst = append(dst, graph.Bit(s.Fibers[f].Held))
		}
	}
	return dst
}

func (c Config) appendPins(dst []byte, s *State) []byte {
	for f := range c.Fibers {
		dst = append(dst, graph.Bit(s.Fibers[f].Nests), graph.Bit(s.Fibers[f].Fatal))
	}
	dst = append(dst, '/')
	for i := range c.Pins {
		dst = append(dst, index(s.pins[i]))
	}
	return dst
}

// pool is the letter of a slot's pool.
func pool(s Slot) byte {
	switch {
	case s == NoSlot:
		return '-'
	case s.IsTrampoline():
		return 't'
	}
	return 'f'
}

// index is the number of a slot in its pool: what is in a chain is a trampoline, what
// is elsewhere a regular fiber.
func index(s Slot) byte {
	if s == NoSlot {
		return '-'
	}
	return '0' + byte(s.Index())
}
