package vm

// word is a bool in a register.
func word(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
