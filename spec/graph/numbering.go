package graph

import "hash/maphash"

// numbering finds the number of a state among the states of a graph. A state may be wide,
// for the walks beyond the bounds of any graph; keys of that size would be most of the
// memory of an exploration, so it keeps their hashes only. Two states with one
// hash are told apart: the later one stands under the next free hash.
type numbering[S comparable] struct {
	seed   maphash.Seed
	byHash map[uint64]int32
}

func newNumbering[S comparable]() numbering[S] {
	return numbering[S]{maphash.MakeSeed(), make(map[uint64]int32)}
}

// find is the number of s; if it has none, the hash it is to stand under.
func (x *numbering[S]) find(states []S, s *S) (i int, hash uint64, ok bool) {
	for hash = maphash.Comparable(x.seed, *s); ; hash++ {
		n, taken := x.byHash[hash]
		if !taken {
			return 0, hash, false
		}
		if states[n] == *s {
			return int(n), hash, true
		}
	}
}
