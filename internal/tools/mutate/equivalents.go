package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// equivalentsFile is where the mutants are that are no mistakes, from the root of the
// module. Each is four lines: where, what was there, what is there now, and why no test
// could notice.
//
//	scheduler/ring.go (*ring).fit
//	- if n <= len(r.slots) {
//	+ if n < len(r.slots) {
//	= it grows one slot early; the order in it is the same
const equivalentsFile = "internal/tools/mutate/equivalents.txt"

func readEquivalents(file string) (map[key]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseEquivalents(string(text))
}

func parseEquivalents(text string) (map[key]string, error) {
	reasons, k, at := map[key]string{}, key{}, 0
	for line := range strings.Lines(text) {
		at++
		line = strings.TrimSpace(line)
		mark, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || mark == "#":
		case mark == "-":
			k.Was = rest
		case mark == "+":
			k.Becomes = rest
		case mark == "=":
			switch _, twice := reasons[k]; {
			case k.File == "" || k.Was == "" || rest == "":
				return nil, fmt.Errorf("%s:%d: want a place, - what was there, + what is there now, = why", equivalentsFile, at)
			case twice:
				return nil, fmt.Errorf("%s:%d: this mutant is there twice", equivalentsFile, at)
			}
			reasons[k], k = rest, key{}
		default:
			k = place(line)
		}
	}
	if k != (key{}) {
		return nil, fmt.Errorf("%s: the last mutant has no reason", equivalentsFile)
	}
	return reasons, nil
}

// place reads the file, the function, and which of several mutants alike it is: (2).
func place(line string) key {
	words := strings.Fields(line)
	k := key{File: words[0]}
	if last := words[len(words)-1]; len(words) > 1 && strings.HasPrefix(last, "(") && strings.HasSuffix(last, ")") {
		if n, err := strconv.Atoi(last[1 : len(last)-1]); err == nil {
			k.Nth, words = n, words[:len(words)-1]
		}
	}
	if len(words) > 1 {
		k.Func = words[1]
	}
	return k
}

// stale are the entries that no mutant fits any more.
func stale(reasons map[key]string, all []*mutant) (left []key) {
	there := map[key]bool{}
	for _, m := range all {
		there[m.key] = true
	}
	for k := range reasons {
		if !there[k] {
			left = append(left, k)
		}
	}
	return left
}
