package lua

import (
	"strings"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// maxString is the most bytes of a string that a program makes. Go ends the process if there is no
// memory for one.
const maxString = vm.MaxString

func tooLarge(L *glua.LState) { L.RaiseError("resulting string too large") }

// openBounds makes the functions of gopher-lua whose results can be longer than their arguments
// refuse a result that is too long.
func (s *State) openBounds() {
	for _, name := range []string{"lower", "upper"} {
		s.bound(glua.StringLibName, name, casedLength)
	}
	s.bound(glua.StringLibName, "rep", repeatedLength)
	s.bound(glua.OsLibName, "date", dateLength)
}

// bound makes a function refuse arguments whose result may have more bytes than maxString.
func (s *State) bound(lib, name string, length func(*glua.LState) float64) {
	fn := s.library(lib, name)
	native := fn.GFunction
	fn.GFunction = func(L *glua.LState) int {
		if length(L) > maxString {
			tooLarge(L)
		}
		return native(L)
	}
}

// casedLength is for string.lower and string.upper, which replace a byte that is not UTF-8 by the
// three bytes of U+FFFD, and a letter of two bytes by one of at most three.
func casedLength(L *glua.LState) float64 {
	text := L.CheckString(1)
	if len(text) <= maxString/utf8.UTFMax {
		return 0
	}
	other := 0
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			other++
		}
	}
	return float64(len(text) + 2*other)
}

// repeatedLength is for string.rep. It also replaces a number that no integer can hold.
func repeatedLength(L *glua.LState) float64 {
	text, n := L.CheckString(1), float64(glua.LVAsNumber(L.Get(2)))
	length := n * float64(len(text))
	if L.Get(2).Type() == glua.LTNumber && (text == "" || n < 1 || n != n) {
		L.Replace(2, glua.LNumber(0))
		length = 0
	}
	return length
}

// dateLength is for os.date, whose longest option is %c.
func dateLength(L *glua.LState) float64 {
	if L.GetTop() == 0 {
		return 0
	}
	const longest = 16
	text := L.CheckString(1)
	return float64(len(text) + longest*strings.Count(text, "%"))
}
