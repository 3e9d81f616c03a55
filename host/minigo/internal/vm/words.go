package vm

import "math"

// word is a bool in a register.
func word(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// truncate converts a float to an integer of 64 bits, or a short one of 32, as amd64 does: to the
// smallest one if it is out of range or NaN. Go's own conversion depends on the processor.
func truncate(f float64, short bool) uint64 {
	least := int64(math.MinInt64)
	if short {
		least = math.MinInt32
	}
	if whole := math.Trunc(f); whole >= float64(least) && whole < -float64(least) {
		return uint64(int64(whole))
	}
	return uint64(least)
}

// truncateU converts a float to an unsigned integer as Go does on amd64, with truncate.
func truncateU(f float64) uint64 {
	const half = 1 << 63
	if f < half {
		return truncate(f, false)
	}
	return truncate(f-half, false) | half
}
