package pattern

import "fmt"

// member is one member of a set in brackets. A byte can be an end of a range, a class cannot.
type member struct {
	set  *set
	byte byte // if set is nil
}

func (m member) joinTo(all *set) {
	if m.set != nil {
		all.join(m.set)
	} else {
		all.add(m.byte)
	}
}

// members reads a set in brackets, behind the opening one. A first ] and a - that is first or last stand
// for themselves.
func (p *parser) members() error {
	inverted := p.looksAt('^')
	if inverted {
		p.at++
	}
	var list []member
	ranged := false // a - was read
	for len(list) == 0 || !p.looksAt(']') {
		p.meter.Step()
		if p.at == len(p.text) {
			return p.endless()
		}
		if len(list) > 0 && p.looksAt('-') {
			p.at++
			ranged = true
			continue
		}
		list = append(list, p.member())
		if n := len(list); ranged {
			list, ranged = append(list[:n-2], rangeOf(list[n-2], list[n-1])), false
		}
	}
	p.at++
	if ranged {
		list = append(list, member{byte: '-'})
	}
	all := new(set)
	for _, m := range list {
		m.joinTo(all)
	}
	if inverted {
		all.invert()
	}
	p.add(item{kind: class, set: all})
	return nil
}

func (p *parser) member() member {
	b := p.take()
	switch {
	case b != '%':
		return member{byte: b}
	case p.at == len(p.text):
		p.cut = true
		return member{set: noByte}
	}
	b = p.take()
	if s, ok := classes[b]; ok {
		return member{set: s}
	}
	return member{set: between(b, b)}
}

func rangeOf(low, high member) member {
	if low.set != nil || high.set != nil {
		return member{set: noByte}
	}
	return member{set: between(low.byte, high.byte)}
}

// endless is the error of a set without an end.
func (p *parser) endless() error {
	if p.cut {
		return fmt.Errorf("unexpected EOS at EOS")
	}
	return fmt.Errorf("unexpected EOS at %d", len(p.text)-1)
}
