package lib

import (
	"strings"
	"unicode/utf8"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// The functions here do the same as those of package strings, piece by piece. What they return means
// nothing if the Pace is Over.

// maxNeedle is how much of a string is searched for at once. Go's search takes time in proportion to
// both strings at worst.
const maxNeedle = 256

// index is strings.Index.
func index(p *value.Pace, s, sub string) int {
	if len(s) <= value.PieceBytes && len(sub) <= maxNeedle {
		i := strings.Index(s, sub)
		if p.Spend(i + len(sub)); i < 0 {
			p.Spend(len(s))
		}
		return i
	}
	head := sub[:min(len(sub), maxNeedle)]
	for at := 0; at+len(sub) <= len(s) && !p.Over(); at++ {
		window := s[at:min(len(s), at+value.PieceBytes+len(head))]
		i := strings.Index(window, head)
		if i < 0 {
			p.Spend(len(window))
			at += len(window) - len(head)
			continue
		}
		p.Spend(i + len(head))
		if at += i; value.HasPrefix(p, s[at:], sub) {
			return at
		}
	}
	return -1
}

// lastIndex is strings.LastIndex.
func lastIndex(p *value.Pace, s, sub string) int {
	head := sub[:min(len(sub), maxNeedle)]
	for end := len(s) - len(sub) + len(head); end >= len(head) && !p.Over(); end-- {
		from := max(0, end-value.PieceBytes-len(head))
		i := strings.LastIndex(s[from:end], head)
		if i < 0 {
			p.Spend(end - from)
			end = from + len(head)
			continue
		}
		p.Spend(end - from - i)
		if value.HasPrefix(p, s[from+i:], sub) {
			return from + i
		}
		end = from + i + len(head)
	}
	return -1
}

// count is strings.Count.
func count(p *value.Pace, s, sub string) (n int) {
	if sub == "" {
		return runeCount(p, s) + 1
	}
	if len(sub) == 1 {
		p.Pieces(0, len(s), 1, func(lo, hi int) { n += strings.Count(s[lo:hi], sub) })
		return n
	}
	for !p.Over() {
		i := index(p, s, sub)
		if i < 0 {
			break
		}
		n++
		s = s[i+len(sub):]
	}
	return n
}

func runeCount(p *value.Pace, s string) (n int) {
	runePieces(p, s, func(part string) bool {
		n += utf8.RuneCountInString(part)
		return true
	})
	return n
}

// runePieces calls f for pieces of a string that end between two runes, until it returns false.
func runePieces(p *value.Pace, s string, f func(part string) bool) {
	for s != "" && !p.Over() {
		end := len(s)
		if end > value.PieceBytes {
			end = runeStart(s, value.PieceBytes)
		}
		p.Spend(end)
		if !f(s[:end]) {
			return
		}
		s = s[end:]
	}
}

// runeStart is the last place up to at, at least utf8.UTFMax, that is not within a rune.
func runeStart(s string, at int) int {
	for from := at - 1; from > at-utf8.UTFMax; from-- {
		if utf8.RuneStart(s[from]) {
			if !utf8.FullRuneInString(s[from:at]) {
				return from
			}
			break
		}
	}
	return at
}

// firstRune is where the first rune is of which is is true, or -1.
func firstRune(p *value.Pace, s string, is func(rune) bool) int {
	at, found := 0, -1
	runePieces(p, s, func(part string) bool {
		if i := strings.IndexFunc(part, is); i >= 0 {
			found = at + i
		}
		at += len(part)
		return found < 0
	})
	return found
}

// lastRune is where the last rune is of which is is true, or -1.
func lastRune(p *value.Pace, s string, is func(rune) bool) int {
	for end := len(s); end > 0 && !p.Over(); {
		from := max(0, end-value.PieceBytes)
		if from > 0 {
			from = runeStart(s, max(from, utf8.UTFMax))
		}
		p.Spend(end - from)
		if i := strings.LastIndexFunc(s[from:end], is); i >= 0 {
			return from + i
		}
		end = from
	}
	return -1
}

// manyChars is the size from which characters are looked up in a set: comparing each character of one
// string with each of the other takes quadratic time.
const manyChars = 64

// setOf tells whether a rune is one of the characters.
func setOf(p *value.Pace, chars string) func(rune) bool {
	if len(chars) <= manyChars {
		return func(c rune) bool { return strings.ContainsRune(chars, c) }
	}
	set := map[rune]bool{}
	for _, c := range chars {
		set[c] = true
		if p.Spend(value.StepBytes / 16); p.Over() {
			break
		}
	}
	return func(c rune) bool { return set[c] }
}

func not(is func(rune) bool) func(rune) bool { return func(c rune) bool { return !is(c) } }

func trimLeft(p *value.Pace, s string, is func(rune) bool) string {
	if i := firstRune(p, s, not(is)); i >= 0 {
		return s[i:]
	}
	return ""
}

func trimRight(p *value.Pace, s string, is func(rune) bool) string {
	i := lastRune(p, s, not(is))
	if i < 0 {
		return ""
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[:i+size]
}

func equalFold(p *value.Pace, s, t string) bool {
	for s != "" && t != "" && !p.Over() {
		_, i := utf8.DecodeRuneInString(s)
		_, j := utf8.DecodeRuneInString(t)
		if !strings.EqualFold(s[:i], t[:j]) {
			return false
		}
		p.Spend(16)
		s, t = s[i:], t[j:]
	}
	return s == t
}
