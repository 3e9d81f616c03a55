package gen

import (
	"fmt"
	"strings"
)

// piece is a part of a program: texts and pieces in their order.
type piece struct {
	parts   []any    // string or *piece
	instead []*piece // what a smaller program may have in its place
}

// seq is the parts one after the other; numbers are written as they are.
func seq(parts ...any) *piece {
	p := &piece{}
	for _, x := range parts {
		switch x := x.(type) {
		case string, *piece:
			p.parts = append(p.parts, x)
		case []*piece:
			for _, y := range x {
				p.parts = append(p.parts, y)
			}
		default:
			p.parts = append(p.parts, fmt.Sprint(x))
		}
	}
	return p
}

// or adds what may stand in the place of a piece.
func (p *piece) or(instead ...*piece) *piece {
	p.instead = append(p.instead, instead...)
	return p
}

// optional is a piece that may be left out.
func optional(parts ...any) *piece { return seq(parts...).or(&piece{}) }

// list is pieces between commas.
func list(of []*piece) *piece {
	p := &piece{}
	for i, x := range of {
		if i > 0 {
			p.parts = append(p.parts, ", ")
		}
		p.parts = append(p.parts, x)
	}
	return p
}

// cuts say which pieces have something else in their place.
type cuts map[*piece]*piece

func (p *piece) write(b *strings.Builder, without cuts) {
	for limit := len(without); limit >= 0; limit-- { // a chain of cuts, one for another
		other, cut := without[p]
		if !cut {
			break
		}
		p = other
	}
	for _, x := range p.parts {
		switch x := x.(type) {
		case string:
			b.WriteString(x)
		case *piece:
			x.write(b, without)
		}
	}
}

// reducible lists the pieces that have something to stand in their place, as they are with
// the cuts, each before those in it.
func (p *piece) reducible(without cuts, found []*piece) []*piece {
	for {
		if len(p.instead) > 0 {
			found = append(found, p)
		}
		other, cut := without[p]
		if !cut {
			break
		}
		p = other
	}
	for _, x := range p.parts {
		if x, ok := x.(*piece); ok {
			found = x.reducible(without, found)
		}
	}
	return found
}

// text is the piece with the cuts.
func (p *piece) text(without cuts) string {
	var b strings.Builder
	p.write(&b, without)
	return b.String()
}

// String is the whole piece.
func (p *piece) String() string { return p.text(nil) }
