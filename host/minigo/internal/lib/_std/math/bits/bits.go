// Package bits is what minigo has of Go's.
package bits

const UintSize = 64

func OnesCount64(x uint64) int {
	n := 0
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

func Len64(x uint64) (n int) {
	for ; x != 0; x >>= 1 {
		n++
	}
	return n
}

func TrailingZeros64(x uint64) int {
	if x == 0 {
		return 64
	}
	return Len64(x&-x) - 1
}

func LeadingZeros64(x uint64) int { return 64 - Len64(x) }

func OnesCount(x uint) int        { return OnesCount64(uint64(x)) }
func OnesCount32(x uint32) int    { return OnesCount64(uint64(x)) }
func OnesCount8(x uint8) int      { return OnesCount64(uint64(x)) }
func Len(x uint) int              { return Len64(uint64(x)) }
func Len32(x uint32) int          { return Len64(uint64(x)) }
func LeadingZeros(x uint) int     { return LeadingZeros64(uint64(x)) }
func LeadingZeros32(x uint32) int { return 32 - Len64(uint64(x)) }
func TrailingZeros(x uint) int    { return TrailingZeros64(uint64(x)) }

func TrailingZeros32(x uint32) int {
	if x == 0 {
		return 32
	}
	return TrailingZeros64(uint64(x))
}

func RotateLeft64(x uint64, k int) uint64 {
	s := uint(k) & 63
	return x<<s | x>>(64-s)
}

func RotateLeft32(x uint32, k int) uint32 {
	s := uint(k) & 31
	return x<<s | x>>(32-s)
}
