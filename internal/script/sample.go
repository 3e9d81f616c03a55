package script

import (
	"math/rand/v2"
	"strings"
	"unicode"
)

// Sample writes a random command line that follows a usage: it keeps or drops each part in
// brackets, chooses between the alternatives of a bar, repeats what an ellipsis follows, and
// takes the words for placeholders, which are written in capitals, from word.
func Sample(usage string, rng *rand.Rand, word func(placeholder string) string) string {
	name, arguments, _ := strings.Cut(usage, " ")
	return strings.TrimRight(name+" "+sample(arguments, rng, word), " ")
}

func sample(usage string, rng *rand.Rand, word func(string) string) string {
	ways := alternatives(usage)
	rest := ways[rng.IntN(len(ways))]
	var words []string
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] == '[' {
			end := closing(rest)
			if rng.IntN(2) == 0 {
				words = append(words, sample(rest[1:end], rng, word))
			}
			rest = rest[end+1:]
			continue
		}
		var next string
		next, rest, _ = strings.Cut(rest, " ")
		choice := strings.Split(next, "|")
		next, repeats := strings.CutSuffix(choice[rng.IntN(len(choice))], "…")
		for again := true; again; again = repeats && rng.IntN(2) == 0 {
			words = append(words, filled(next, word))
		}
	}
	return strings.Join(words, " ")
}

func filled(s string, word func(string) string) string {
	if unicode.IsUpper([]rune(s + "x")[0]) {
		return word(s)
	}
	return s
}

// alternatives cuts a usage at the bars that are outside of brackets.
func alternatives(usage string) (parts []string) {
	start, depth := 0, 0
	for i, r := range usage {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0 && strings.HasPrefix(usage[i:], " | "):
			parts = append(parts, usage[start:i])
			start = i + len(" | ")
		}
	}
	return append(parts, usage[start:])
}

// closing is where the bracket ends that the text begins with. Brackets are not nested.
func closing(s string) int {
	if end := strings.IndexByte(s, ']'); end >= 0 {
		return end
	}
	return len(s) - 1
}
