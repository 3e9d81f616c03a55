package script

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Split cuts a command line into words. A word in double quotes is a Go string and may
// hold anything; a # at the start of a word ends the line.
func Split(s string) ([]string, error) {
	var words []string
	for {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
		if s == "" || s[0] == '#' {
			return words, nil
		}
		if s[0] != '"' {
			end := strings.IndexFunc(s, unicode.IsSpace)
			if end < 0 {
				end = len(s)
			}
			words, s = append(words, s[:end]), s[end:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return nil, fmt.Errorf("%q is no quoted word; end it with a quote, as in \"two words\"", s)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("%s is no quoted word: %w", quoted, err)
		}
		words, s = append(words, word), s[len(quoted):]
	}
}

// Show is a value as outputs give it: bare if it is one plain word, else quoted.
func Show(v any) string {
	s := fmt.Sprint(v)
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

// Nearest is the candidate that a misspelt word most likely meant, or "".
func Nearest(word string, candidates []string) (best string) {
	limit := 3
	if len(word) > 40 {
		return ""
	}
	for _, c := range candidates {
		if d := distance(word, c); d < limit {
			best, limit = c, d
		}
	}
	return best
}

// distance counts the single-letter edits between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
