package gen

import "maps"

// atOnce is how many smaller programs are tried at once.
const atOnce = 24

// Shrink makes a program smaller for as long as it has a property. The function reports
// which programs have it; not all of them type-check.
func Shrink(p *Program, has func([]*Program) []bool) *Program {
	for {
		smaller := shrinkOnce(p, has)
		if smaller == nil {
			return p
		}
		p = smaller
	}
}

// shrinkOnce goes through the pieces, the large ones first; nil if none can be made smaller.
func shrinkOnce(p *Program, has func([]*Program) []bool) (smaller *Program) {
	rest := p.candidates()
	for len(rest) > 0 {
		some := rest[:min(atOnce, len(rest))]
		rest = rest[len(some):]
		var good []*Program
		for i, ok := range has(some) {
			if ok {
				good = append(good, some[i])
			}
		}
		if len(good) > 1 {
			if all := union(good); has([]*Program{all})[0] {
				return all
			}
		}
		if len(good) > 0 {
			return good[0]
		}
	}
	return nil
}

// candidates are the programs that are smaller by one piece.
func (p *Program) candidates() (list []*Program) {
	for _, piece := range p.root.reducible(p.gone, nil) {
		if _, cut := p.gone[piece]; cut {
			continue
		}
		for _, other := range piece.instead {
			if piece.text(p.gone) != other.text(p.gone) {
				list = append(list, p.without(cuts{piece: other}))
			}
		}
	}
	return list
}

func union(programs []*Program) *Program {
	all := cuts{}
	for _, p := range programs {
		maps.Copy(all, p.gone)
	}
	return programs[0].without(all)
}

func (p *Program) without(more cuts) *Program {
	q := *p
	q.gone = maps.Clone(p.gone)
	if q.gone == nil {
		q.gone = cuts{}
	}
	maps.Copy(q.gone, more)
	return &q
}
