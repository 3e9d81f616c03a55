package lua

import (
	"encoding/binary"
	"io"
	"math/rand/v2"

	glua "github.com/yuin/gopher-lua"
)

// openRandom replaces math.random and math.randomseed: gopher-lua's share one sequence with all of the
// process.
func (s *State) openRandom() {
	r := &random{from: s.config.Random}
	s.library(glua.MathLibName, "random").GFunction = r.next
	s.library(glua.MathLibName, "randomseed").GFunction = r.reseed
}

// random is the sequence of random numbers of one State.
type random struct {
	from    io.Reader
	numbers *rand.Rand // nil until the first use
}

// next is math.random([m [, n]]), for arguments that checkRandom accepts.
func (r *random) next(L *glua.LState) int {
	if r.numbers == nil {
		r.numbers = seeded(r.seed(L))
	}
	switch L.GetTop() {
	case 0:
		return push(L, glua.LNumber(r.numbers.Float64()))
	case 1:
		return push(L, glua.LNumber(1+r.numbers.IntN(L.CheckInt(1))))
	}
	low, high := L.CheckInt(1), L.CheckInt(2)
	return push(L, glua.LNumber(low+r.numbers.IntN(high-low+1)))
}

// reseed is math.randomseed(n).
func (r *random) reseed(L *glua.LState) int {
	r.numbers = seeded(uint64(L.CheckInt64(1)))
	return 0
}

func (r *random) seed(L *glua.LState) uint64 {
	var seed [8]byte
	if r.from != nil {
		if _, err := io.ReadFull(r.from, seed[:]); err != nil {
			L.RaiseError("math.random: the source of random numbers: %s", err.Error())
		}
	}
	return binary.LittleEndian.Uint64(seed[:])
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
