package lib

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// sortedEntries are the entries of a map in key order; pointers and channels have no order and
// stay in insertion order.
func (p *printer) sortedEntries(m *value.Map) (entries []int) {
	it := value.NewIterator(m)
	for _, i := it.Next(); i >= 0; _, i = it.Next() {
		entries = append(entries, i)
	}
	slices.SortStableFunc(entries, func(a, b int) int {
		an, ar := m.Key(a)
		bn, br := m.Key(b)
		return p.order(m.T.Key, an, bn, ar, br, 0)
	})
	return entries
}

// order compares two keys. Values of several types in interfaces are ordered by type.
func (p *printer) order(t *code.Type, an, bn []uint64, ar, br []any, depth int) int {
	if depth > 0 && p.tooFar(depth) {
		return 0
	}
	switch k := t.Kind; {
	case k == code.String:
		return strings.Compare(value.Str(ar[0]), value.Str(br[0]))
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
	if p.room < 0 || p.tooDeep || t.Empty() {
		return 0
	}
	return p.order(t, an[n:n+t.N], bn[n:n+t.N], ar[r:r+t.R], br[r:r+t.R], depth+1)
}
