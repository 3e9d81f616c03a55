package slab

import (
	"iter"
	"math"
	"math/bits"
)

const (
	chunkBits = 9
	chunkSize = 1 << chunkBits
)

// Slab is a table of T with stable addresses. Indexes start at 1; 0 means none. The
// zero Slab is empty and ready. It belongs to one goroutine.
//
// Invariants: every index in [1, touched] is either in use (its bit is set) or stands
// exactly once on the free stack; the free stack has room for every slot there is, so
// Free never allocates.
type Slab[T any] struct {
	chunks  []*[chunkSize]T
	free    []uint32
	used    []uint64
	touched uint32 // the highest index ever handed out
	len     int
}

// Alloc takes a slot, the one freed last if there is one. The element is as Free left
// it: zero, or what the owner wrote there through At since (a generation). It returns
// 0 and nil when all 2³²−1 indexes are taken. It allocates only when all the chunks
// are full.
func (s *Slab[T]) Alloc() (uint32, *T) {
	var i uint32
	if n := len(s.free); n > 0 {
		i = s.free[n-1]
		s.free = s.free[:n-1]
	} else {
		if s.touched == math.MaxUint32 {
			return 0, nil
		}
		if int(s.touched) == s.Cap() {
			s.grow()
		}
		s.touched++
		i = s.touched
	}
	s.used[(i-1)/64] |= 1 << ((i - 1) % 64)
	s.len++
	return i, s.At(i)
}

// grow adds one chunk, and with it the marks and the room on the free stack.
func (s *Slab[T]) grow() {
	s.chunks = append(s.chunks, new([chunkSize]T))
	s.used = append(s.used, make([]uint64, chunkSize/64)...)
	if cap(s.free) < s.Cap() {
		free := make([]uint32, len(s.free), 2*s.Cap())
		copy(free, s.free)
		s.free = free
	}
}

// At is the element of a slot that was handed out at least once; its address stays
// the same forever. It panics for 0 and beyond the last chunk, and does not check
// that the slot is in use: use Get for an index from outside.
func (s *Slab[T]) At(i uint32) *T { return &s.chunks[(i-1)>>chunkBits][(i-1)%chunkSize] }

// Get is At for an unchecked index: false unless the slot is in use.
func (s *Slab[T]) Get(i uint32) (*T, bool) {
	if i == 0 || i > s.touched || s.used[(i-1)/64]&(1<<((i-1)%64)) == 0 {
		return nil, false
	}
	return s.At(i), true
}

// Peek is the element of an unchecked index, in use or not: for owners whose
// elements say themselves whether they are. It is nil where there is no memory yet.
func (s *Slab[T]) Peek(i uint32) *T {
	if c := uint64(i-1) >> chunkBits; c < uint64(len(s.chunks)) {
		return &s.chunks[c][(i-1)%chunkSize]
	}
	return nil
}

// Free gives a slot back and zeroes its element. It panics if the slot is not in use:
// it would stand on the free stack twice.
func (s *Slab[T]) Free(i uint32) {
	s.Drop(i)
	var zero T
	*s.At(i) = zero
}

// Drop is Free for an owner that has reset the element itself.
func (s *Slab[T]) Drop(i uint32) {
	at, bit := (i-1)/64, uint64(1)<<((i-1)%64)
	if uint64(at) >= uint64(len(s.used)) || s.used[at]&bit == 0 {
		panic("slab: Free of a slot that is not in use; free each slot once: rule I12 (docs/invariants.md#i12)")
	}
	s.used[at] ^= bit
	s.free = append(s.free, i)
	s.len--
}

// Len counts the slots in use.
func (s *Slab[T]) Len() int { return s.len }

// Cap counts the slots there is memory for.
func (s *Slab[T]) Cap() int { return len(s.chunks) * chunkSize }

// All yields the slots in use in index order. The loop may free the slot it is given;
// a slot taken meanwhile may or may not be seen.
func (s *Slab[T]) All() iter.Seq2[uint32, *T] {
	return func(yield func(uint32, *T) bool) {
		for w := range s.used {
			for word := s.used[w]; word != 0; word &= word - 1 {
				i := uint32(w*64+bits.TrailingZeros64(word)) + 1
				if !yield(i, s.At(i)) {
					return
				}
			}
		}
	}
}
