package vm

import "github.com/selvage-dev/selvage/host/minigo/internal/code"

// word is a bool in a register.
func word(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// floatHolds tells whether a jump that compares floats is taken.
func floatHolds(op code.Op, x, y float64) bool {
	switch op {
	case code.JEqF:
		return x == y
	case code.JNeF:
		return x != y
	case code.JLtF:
		return x < y
	case code.JLeF:
		return x <= y
	case code.JNLtF:
		return !(x < y)
	}
	return !(x <= y)
}
