package client

import (
	"strings"
	"unicode"
)

// Printable is a text of an inspected program that a terminal may show: in one line, without control sequences, without
// marks that change the direction of writing or the width of what is before them. What it takes away is replaced by a visible
// sign, and white space by a blank.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || unicode.IsPrint(r) && !unicode.Is(unicode.Variation_Selector, r) && !joins(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return unicode.ReplacementChar
	}, text)
}

// joins tells of marks that terminals draw in cells of very different numbers.
func joins(r rune) bool {
	return unicode.Is(unicode.Me, r) || r >= 0x1F1E6 && r <= 0x1F1FF || r >= 0x1F3FB && r <= 0x1F3FF
}
