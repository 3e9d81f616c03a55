package lua

import (
	"slices"
	"strings"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// piece is how many bytes of a long string are converted at once.
const piece = 16 * vm.BytesPerStep

// openStrings replaces the functions that convert a string of any length in one go.
func (s *State) openStrings() {
	for name, fn := range map[string]glua.LGFunction{
		"byte":    s.bytes,
		"format":  s.format,
		"rep":     s.rep,
		"reverse": s.reverse,
		"lower":   s.converted(strings.ToLower),
		"upper":   s.converted(strings.ToUpper),
	} {
		s.library(glua.StringLibName, name).GFunction = fn
	}
}

// rep is string.rep. It also takes a number that no integer can hold.
func (s *State) rep(L *glua.LState) int {
	text := L.CheckString(1)
	n := float64(L.CheckInt(2))
	if given := float64(L.Get(2).(glua.LNumber)); text == "" || !(given >= 1) {
		n = 0
	} else if given > maxString {
		n = given
	}
	length := n * float64(len(text))
	if length > maxString {
		tooLarge(L)
	}
	left := int(length)
	out := s.meter.NewText(L, left)
	defer out.Close()
	several := text
	if len(text) < piece {
		several = strings.Repeat(text, min(int(n), piece/max(len(text), 1)))
	}
	for ; left > 0; left -= len(several) {
		out.Add(several[:min(left, len(several))])
	}
	return push(L, glua.LString(out.String()))
}

// reverse is string.reverse.
func (s *State) reverse(L *glua.LState) int {
	text := L.CheckString(1)
	out := s.meter.NewText(L, len(text))
	defer out.Close()
	for text != "" {
		n := min(piece, len(text))
		last := []byte(text[len(text)-n:])
		slices.Reverse(last)
		out.Add(string(last))
		text = text[:len(text)-n]
	}
	return push(L, glua.LString(out.String()))
}

// converted is string.lower or string.upper. As in gopher-lua they are Go's, for UTF-8.
func (s *State) converted(convert func(string) string) glua.LGFunction {
	return func(L *glua.LState) int {
		text := L.CheckString(1)
		if len(text) <= vm.BytesPerStep {
			s.Charge(1)
			return push(L, glua.LString(convert(text)))
		}
		out := s.meter.NewText(L, len(text))
		defer out.Close()
		for text != "" {
			n := runes(text, piece)
			out.Add(convert(text[:n]))
			text = text[n:]
		}
		return push(L, glua.LString(out.String()))
	}
}

// runes is where to divide a text of UTF-8 near the byte n, so that no character is divided.
func runes(text string, n int) int {
	if n >= len(text) {
		return len(text)
	}
	for back := range utf8.UTFMax {
		if utf8.RuneStart(text[n-back]) {
			return n - back
		}
	}
	return n
}
