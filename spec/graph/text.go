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
