package lib

import (
	"unicode"
	"unicode/utf8"

	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

func unicodeNatives() map[string]Func {
	table := map[string]Func{
		"unicode/utf8.DecodeLastRuneInString": func(c *Call) { c.returnRune(utf8.DecodeLastRuneInString(c.String())) },
		"unicode/utf8.DecodeRuneInString":     func(c *Call) { c.returnRune(utf8.DecodeRuneInString(c.String())) },
		"unicode/utf8.RuneCountInString":      func(c *Call) { c.ReturnInt(runeCount(c.Pace, c.String())) },
		"unicode/utf8.RuneLen":                func(c *Call) { c.ReturnInt(utf8.RuneLen(rune(c.Int()))) },
		"unicode/utf8.ValidRune":              func(c *Call) { c.ReturnBool(utf8.ValidRune(rune(c.Int()))) },
		"unicode/utf8.ValidString":            func(c *Call) { c.ReturnBool(valid(c.Pace, c.String())) },
	}
	for name, f := range map[string]func(rune) bool{
		"IsControl": unicode.IsControl, "IsDigit": unicode.IsDigit, "IsLetter": unicode.IsLetter, "IsLower": unicode.IsLower,
		"IsNumber": unicode.IsNumber, "IsPrint": unicode.IsPrint, "IsPunct": unicode.IsPunct, "IsSpace": unicode.IsSpace,
		"IsSymbol": unicode.IsSymbol, "IsUpper": unicode.IsUpper,
	} {
		table["unicode."+name] = func(c *Call) { c.ReturnBool(f(rune(c.Int()))) }
	}
	for name, f := range map[string]func(rune) rune{"ToLower": unicode.ToLower, "ToTitle": unicode.ToTitle, "ToUpper": unicode.ToUpper} {
		table["unicode."+name] = func(c *Call) { c.ReturnInt(int(f(rune(c.Int())))) }
	}
	return table
}

func (c *Call) returnRune(r rune, size int) {
	c.ReturnInt(int(r))
	c.ReturnInt(size)
}

// valid is utf8.ValidString.
func valid(p *value.Pace, s string) (ok bool) {
	ok = true
	runePieces(p, s, func(part string) bool {
		ok = utf8.ValidString(part)
		return ok
	})
	return ok
}
