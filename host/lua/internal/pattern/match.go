package pattern

import "github.com/selvage-dev/selvage/host/lua/internal/vm"

// Search finds the matches of a pattern in a text, from left to right.
type Search struct {
	meter   *vm.Meter
	pattern *Pattern
	text    string
	from    int // where the next attempt begins; past the end of the text when there are no more
	Match
	choices []choice
}

// Match is a match, and its captures.
type Match struct {
	Text       string
	Start, End int
	Captures   []Capture
}

// Capture is what a part of a pattern has matched, or, if it is a Position, where: Start, from 0.
type Capture struct {
	Start, End int
	Position   bool
}

// choice is a state of a match that is left to try: a repetition of the item at pc can end before the
// byte at.
type choice struct {
	pc, at int
	least  int // where a repetition that gives bytes back begins; lazy: it takes one more byte instead
}

const lazy = -1

// NewSearch begins a search at the byte from, which is at most one behind the text.
func NewSearch(m *vm.Meter, p *Pattern, text string, from int) *Search {
	return &Search{meter: m, pattern: p, text: text, from: from, Match: Match{Text: text, Captures: make([]Capture, p.captures)}}
}

// Next finds the next match, which is in Match until the next call. It takes steps and may suspend the
// fiber. The errors are those of a pattern that refers to a capture it does not have.
func (s *Search) Next() (found bool, err error) {
	for !found && s.from <= len(s.text) && err == nil {
		s.Start = s.from
		s.End, found, err = s.attempt(s.from)
		s.from++
		if found {
			s.from = max(s.from, s.End)
		}
		if s.pattern.anchored {
			s.from = len(s.text) + 1
		}
	}
	return found, err
}

// From is where the next attempt begins.
func (s *Search) From() int { return s.from }

// attempt matches the pattern at one place.
func (s *Search) attempt(at int) (end int, ok bool, err error) {
	s.choices = s.choices[:0]
	for pc, ok := 0, true; ; {
		if !ok {
			if pc, at, ok = s.retry(); !ok {
				return 0, false, nil
			}
		}
		s.meter.Step()
		it := &s.pattern.items[pc]
		switch it.kind {
		case literal, class:
			at, ok = s.single(it, pc, at)
		case open:
			s.Captures[it.n] = Capture{Start: at}
		case shut:
			s.Captures[it.n].End = at
		case position:
			s.Captures[it.n] = Capture{Start: at, End: at, Position: true}
		case again:
			at, ok = s.again(s.Captures[it.n], at)
		case balanced:
			at, ok = s.balanced(it, at)
		case unmatched:
			return 0, false, errNoCapture
		case finish:
			if ok = !s.pattern.toEnd || at == len(s.text); ok {
				return at, true, nil
			}
		}
		pc++
	}
}

// single matches an item of one byte, as often as it is repeated.
func (s *Search) single(it *item, pc, at int) (behind int, ok bool) {
	fits := at < len(s.text) && it.matches(s.text[at])
	switch it.repeat {
	case 0:
		return at + 1, fits
	case '?':
		if fits {
			s.choices = append(s.choices, choice{pc, at + 1, at})
			return at + 1, true
		}
		return at, true
	case '-':
		s.choices = append(s.choices, choice{pc, at, lazy})
		return at, true
	}
	least := at
	if it.repeat == '+' {
		if !fits {
			return at, false
		}
		least++
	}
	for at < len(s.text) && it.matches(s.text[at]) {
		s.meter.Step()
		at++
	}
	if at > least {
		s.choices = append(s.choices, choice{pc, at, least})
	}
	return at, true
}

// retry returns to the last choice that is left.
func (s *Search) retry() (pc, at int, ok bool) {
	for len(s.choices) > 0 {
		s.meter.Step()
		last := &s.choices[len(s.choices)-1]
		pc = last.pc + 1
		if last.least == lazy {
			if last.at < len(s.text) && s.pattern.items[last.pc].matches(s.text[last.at]) {
				last.at++
				return pc, last.at, true
			}
			s.choices = s.choices[:len(s.choices)-1]
			continue
		}
		last.at--
		at = last.at
		if at == last.least {
			s.choices = s.choices[:len(s.choices)-1]
		}
		return pc, at, true
	}
	return 0, 0, false
}

// again matches what a capture has matched.
func (s *Search) again(c Capture, at int) (behind int, ok bool) {
	n := c.End - c.Start
	if n > len(s.text)-at {
		return at, false
	}
	return at + n, s.meter.Equal(s.text[c.Start:c.End], s.text[at:at+n])
}

// balanced matches %b.
func (s *Search) balanced(it *item, at int) (behind int, ok bool) {
	if at >= len(s.text) || int(s.text[at]) != it.n {
		return at, false
	}
	for depth := 1; ; {
		if at++; at == len(s.text) {
			return at, false
		}
		s.meter.Step()
		switch int(s.text[at]) {
		case it.end:
			if depth--; depth == 0 {
				return at + 1, true
			}
		case it.n:
			depth++
		}
	}
}
