package lib

import (
	"strings"
	"unicode/utf8"
)

// manyChars is the size from which characters are looked up in a set: Go's package strings
// compares each character of one string with each of the other, which takes quadratic time.
const manyChars = 64

func isMany(chars string) bool { return utf8.RuneCountInString(chars) > manyChars }

func setOf(chars string) func(rune) bool {
	set := map[rune]bool{}
	for _, c := range chars {
		set[c] = true
	}
	return func(c rune) bool { return set[c] }
}

func containsAny(s, chars string) bool { return indexAny(s, chars) >= 0 }

func indexAny(s, chars string) int {
	if isMany(chars) {
		return strings.IndexFunc(s, setOf(chars))
	}
	return strings.IndexAny(s, chars)
}

func lastIndexAny(s, chars string) int {
	if isMany(chars) {
		return strings.LastIndexFunc(s, setOf(chars))
	}
	return strings.LastIndexAny(s, chars)
}

func trim(s, cutset string) string { return trimLeft(trimRight(s, cutset), cutset) }

func trimLeft(s, cutset string) string {
	if isMany(cutset) {
		return strings.TrimLeftFunc(s, setOf(cutset))
	}
	return strings.TrimLeft(s, cutset)
}

func trimRight(s, cutset string) string {
	if isMany(cutset) {
		return strings.TrimRightFunc(s, setOf(cutset))
	}
	return strings.TrimRight(s, cutset)
}
