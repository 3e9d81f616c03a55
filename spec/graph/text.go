package graph

// none is how the models number nothing at all.
const none = 255

// Digit is a small number as it stands in the text of a state, "-" for none.
func Digit(v uint8) byte {
	if v == none {
		return '-'
	}
	return '0' + v
}

// Bit is 1 or 0 as it stands in the text of a state.
func Bit(b bool) byte {
	if b {
		return '1'
	}
	return '0'
}

// Count is 1 for what there is.
func Count(is bool) int {
	if is {
		return 1
	}
	return 0
}
