package jit

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAMultiplicationDivides computes what multiplyHigh has the processor compute.
func TestAMultiplicationDivides(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		d := int64(int32(r.Uint32())) >> r.IntN(30)
		if size := max(d, -d); size&(size-1) == 0 {
			continue
		}
		near := d * (math.MaxInt64 / d) // the largest multiple
		for _, x := range []int64{0, 1, -1, d, -d, d - 1, d + 1, near, near - 1, near + 1, -near, -near - 1, 1 - near,
			math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, int64(r.Uint64()), int64(r.Uint64()) >> r.IntN(63)} {
			require.Equal(t, x/d, dividedByMagic(x, d), "%d / %d", x, d)
		}
	}
}

func dividedByMagic(x, d int64) int64 {
	m, s := magic(d)
	high, _ := bits.Mul64(uint64(m), uint64(x))
	q := int64(high)
	if m < 0 { // the product of signed numbers
		q -= x
	}
	if x < 0 {
		q -= m
	}
	switch {
	case d > 0 && m < 0:
		q += x
	case d < 0 && m > 0:
		q -= x
	}
	q >>= s
	return q + int64(uint64(q)>>63)
}
