package lua

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// widestText is more bytes than a width or a precision of format has characters.
const widestText = 100_000 * utf8.UTFMax

// formattedText appends a text with %s or %q.
func (s *State) formattedText(L *glua.LState, out *vm.Text, option, text string) {
	quoted := strings.HasSuffix(option, "q")
	if strings.Contains(option, ".") {
		text = text[:min(len(text), widestText)] // the precision takes fewer characters
	}
	switch {
	case option == "%s" || !quoted && len(text) > widestText:
		out.Add(text)
	case len(text) > widestText:
		s.quoted(L, out, option, text)
	default:
		s.ChargeBytes(len(text))
		out.Add(fmt.Sprintf(option, text))
	}
}

// quoted appends a text that is longer than any width with %q: in back quotes, or with the bytes that Go
// escapes, of which one may become four.
func (s *State) quoted(L *glua.LState, out *vm.Text, option, text string) {
	if len(text) > maxString/4 {
		tooLarge(L)
	}
	if strings.Contains(option, "#") && s.canBackquote(text) {
		out.Add("`")
		out.Add(text)
		out.Add("`")
		return
	}
	quote := strconv.Quote
	if strings.Contains(option, "+") {
		quote = strconv.QuoteToASCII
	}
	out.Add(`"`)
	for text != "" {
		n := runes(text, piece)
		part := quote(text[:n])
		out.Add(part[1 : len(part)-1])
		text = text[n:]
	}
	out.Add(`"`)
}

func (s *State) canBackquote(text string) bool {
	for text != "" {
		n := runes(text, piece)
		s.ChargeBytes(n)
		if !strconv.CanBackquote(text[:n]) {
			return false
		}
		text = text[n:]
	}
	return true
}
