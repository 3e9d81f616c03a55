package lib

import (
	"errors"
	"strings"
	"unicode"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

var (
	errTooLong = errors.New("a string is too long")
	errRepeat  = errors.New("strings: Repeat output length overflow")
)

func stringsNatives() map[string]Func {
	table := map[string]Func{
		"strings.Compare":      func(c *Call) { c.ReturnInt(sign(value.CompareStrings(c.Pace, c.String(), c.String()))) },
		"strings.ContainsRune": func(c *Call) { c.ReturnBool(c.indexRune(c.String(), rune(c.Int())) >= 0) },
		"strings.IndexByte": func(c *Call) {
			c.ReturnInt(index(c.Pace, c.String(), string([]byte{byte(c.Int())})))
		},
		"strings.IndexRune": func(c *Call) { c.ReturnInt(c.indexRune(c.String(), rune(c.Int()))) },
		"strings.LastIndexByte": func(c *Call) {
			c.ReturnInt(lastIndex(c.Pace, c.String(), string([]byte{byte(c.Int())})))
		},
		"strings.Fields":      fields,
		"strings.Join":        join,
		"strings.repeat":      repeat,
		"strings.Replace":     func(c *Call) { c.replaceN(c.String(), c.String(), c.String(), c.Int()) },
		"strings.ReplaceAll":  func(c *Call) { c.replaceN(c.String(), c.String(), c.String(), -1) },
		"strings.Split":       func(c *Call) { c.split(c.String(), c.String(), -1, false) },
		"strings.SplitAfter":  func(c *Call) { c.split(c.String(), c.String(), -1, true) },
		"strings.SplitN":      func(c *Call) { c.split(c.String(), c.String(), c.Int(), false) },
		"strings.SplitAfterN": func(c *Call) { c.split(c.String(), c.String(), c.Int(), true) },
		"strings.replace":     replace,
		"strings.TrimSpace": func(c *Call) {
			if s := c.String(); len(s) <= value.PieceBytes {
				c.Spend(len(s))
				c.ReturnSubstring(strings.TrimSpace(s))
				return
			}
			c.ar--
			c.ReturnSubstring(trimRight(c.Pace, trimLeft(c.Pace, c.String(), unicode.IsSpace), unicode.IsSpace))
		},
	}
	for name, f := range map[string]func(p *value.Pace, s, t string) bool{
		"Contains":    func(p *value.Pace, s, t string) bool { return index(p, s, t) >= 0 },
		"ContainsAny": func(p *value.Pace, s, t string) bool { return firstRune(p, s, setOf(p, t)) >= 0 },
		"EqualFold":   equalFold, "HasPrefix": value.HasPrefix, "HasSuffix": hasSuffix,
	} {
		table["strings."+name] = func(c *Call) { c.ReturnBool(f(c.Pace, c.String(), c.String())) }
	}
	for name, f := range map[string]func(p *value.Pace, s, t string) int{
		"Count": count, "Index": index, "LastIndex": lastIndex,
		"IndexAny":     func(p *value.Pace, s, t string) int { return firstRune(p, s, setOf(p, t)) },
		"LastIndexAny": func(p *value.Pace, s, t string) int { return lastRune(p, s, setOf(p, t)) },
	} {
		table["strings."+name] = func(c *Call) { c.ReturnInt(f(c.Pace, c.String(), c.String())) }
	}
	for name, f := range map[string]func(p *value.Pace, s, t string) string{
		"Trim":       func(p *value.Pace, s, t string) string { return trimLeft(p, trimRight(p, s, setOf(p, t)), setOf(p, t)) },
		"TrimLeft":   func(p *value.Pace, s, t string) string { return trimLeft(p, s, setOf(p, t)) },
		"TrimRight":  func(p *value.Pace, s, t string) string { return trimRight(p, s, setOf(p, t)) },
		"TrimPrefix": trimPrefix, "TrimSuffix": trimSuffix,
	} {
		table["strings."+name] = func(c *Call) { c.ReturnSubstring(f(c.Pace, c.String(), c.String())) }
	}
	for name, f := range map[string]func(string) string{
		"ToLower": strings.ToLower, "ToUpper": strings.ToUpper, "ToTitle": strings.ToTitle,
	} {
		table["strings."+name] = func(c *Call) { c.mapped(c.String(), f) }
	}
	builderNatives(table)
	return table
}

// maxString is the length of the longest string that one native function makes.
const maxString = 1 << 28

// maxJoined is the length of the longest string that a native function joins from others.
const maxJoined = 1 << 30

func sign(order int) int { return max(-1, min(order, 1)) }

// indexRune is strings.IndexRune.
func (c *Call) indexRune(s string, r rune) int {
	if strings.ContainsRune(string(r), r) && r != unicode.ReplacementChar {
		return index(c.Pace, s, string(r))
	}
	if r != unicode.ReplacementChar {
		return -1
	}
	return firstRune(c.Pace, s, func(c rune) bool { return c == r })
}

func hasSuffix(p *value.Pace, s, suffix string) bool {
	return len(s) >= len(suffix) && value.EqualStrings(p, s[len(s)-len(suffix):], suffix)
}

func trimPrefix(p *value.Pace, s, prefix string) string {
	if value.HasPrefix(p, s, prefix) {
		return s[len(prefix):]
	}
	return s
}

func trimSuffix(p *value.Pace, s, suffix string) string {
	if hasSuffix(p, s, suffix) {
		return s[:len(s)-len(suffix)]
	}
	return s
}
