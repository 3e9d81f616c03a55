package front

import (
	"go/types"
	"math"
)

// maxCells is how many words and references a value may have, as at run time a slice.
const maxCells = 1 << 27

// sizes are those of types, in words and references; one beyond maxCells is anything beyond it.
type sizes map[types.Type]int64

func (s sizes) of(t types.Type) int64 {
	if size, ok := s[t]; ok {
		return size
	}
	size := s.count(t)
	s[t] = size
	return size
}

func (s sizes) count(t types.Type) (size int64) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return 4
	case *types.Interface:
		return 3
	case *types.Array:
		each := s.of(u.Elem())
		if u.Len() > math.MaxInt32 || each > 0 && u.Len() > maxCells/each {
			return maxCells + 1
		}
		return each * u.Len()
	case *types.Struct:
		for f := range u.Fields() {
			size = min(size+s.of(f.Type()), maxCells+1)
		}
		return size
	}
	return 1
}
