package lib

import (
	"cmp"
	"math"
	"slices"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// sortedEntries are the entries of a map in key order; pointers and channels have no order and
// stay in insertion order.
func (p *printer) sortedEntries(m *value.Map) (entries []uint64, version uint64) {
	if m == nil {
		return nil, 0
	}
	version = m.Version()
	entries = value.NewZeroed(p.text.Pace, m.Len(), 0).N[:0]
	it := value.NewIterator(m)
	for at := it.Next(); at != value.End && !p.stopped(); at = it.Next() {
		p.text.Spend(value.StepBytes / 4)
		if p.unchanged(m, version); at >= 0 && !p.stopped() {
			entries = append(entries, uint64(at))
		}
	}
	slices.SortFunc(entries, func(a, b uint64) int {
		p.text.Spend(value.StepBytes / 4)
		if p.unchanged(m, version); p.stopped() {
			return 0
		}
		an, ar := m.Key(int(a))
		bn, br := m.Key(int(b))
		return cmp.Or(p.order(m.T.Key, an, bn, ar, br, 0), cmp.Compare(a, b))
	})
	return entries, version
}

// unchanged stops the printer if the map has changed since the version that it shows.
func (p *printer) unchanged(m *value.Map, version uint64) {
	if m != nil && m.Version() != version {
		p.changed = true
	}
}

// order compares two keys. Values of several types in interfaces are ordered by type.
func (p *printer) order(t *code.Type, an, bn []uint64, ar, br []any, depth int) int {
	if depth > 0 && p.tooFar(depth) {
		return 0
	}
	switch k := t.Kind; {
	case k == code.String:
		return value.CompareStrings(p.text.Pace, value.Str(ar[0]), value.Str(br[0]))
	case k.Signed():
		return cmp.Compare(int64(an[0]), int64(bn[0]))
	case k.Float():
		return cmp.Compare(math.Float64frombits(an[0]), math.Float64frombits(bn[0]))
	case k.Integer() || k == code.Bool:
		return cmp.Compare(an[0], bn[0])
	case k == code.Struct:
		for i := range t.Fields {
			x := &t.Fields[i]
			if c := p.orderPart(x.Type, x.N, x.R, an, bn, ar, br, depth); c != 0 {
				return c
			}
		}
	case k == code.Array:
		for i := range int(t.Len) {
			if c := p.orderPart(t.Elem, i*t.Elem.N, i*t.Elem.R, an, bn, ar, br, depth); c != 0 {
				return c
			}
		}
	case k == code.Interface:
		a, b := p.ts.Interface(an, ar), p.ts.Interface(bn, br)
		if a.T != b.T || a.T == nil {
			return cmp.Compare(an[0], bn[0])
		}
		an, ar = a.Parts(a.T)
		bn, br = b.Parts(b.T)
		return p.order(a.T, an, bn, ar, br, depth+1)
	}
	return 0
}

// orderPart compares a field or an element.
func (p *printer) orderPart(t *code.Type, n, r int, an, bn []uint64, ar, br []any, depth int) int {
	if p.stopped() || t.Empty() {
		return 0
	}
	return p.order(t, an[n:n+t.N], bn[n:n+t.N], ar[r:r+t.R], br[r:r+t.R], depth+1)
}
