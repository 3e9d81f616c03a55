package lua

import (
	"fmt"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// format replaces string.format. gopher-lua's passes the format to Go's fmt, which has other
// options than Lua, prints the fields of Go values, and has no bound.
func format(L *glua.LState) int {
	text := L.CheckString(1)
	out := make([]byte, 0, len(text)+16)
	for arg := 2; ; {
		at := strings.IndexByte(text, '%')
		if at < 0 {
			break
		}
		out = append(out, text[:at]...)
		if text = text[at:]; strings.HasPrefix(text, "%%") {
			out, text = append(out, '%'), text[2:]
			continue
		}
		n := optionLength(L, text)
		out, text = formatted(L, out, text[:n], arg), text[n:]
		if len(out) > maxString {
			tooLarge(L)
		}
		arg++
	}
	if len(out)+len(text) > maxString {
		tooLarge(L)
	}
	return push(L, glua.LString(append(out, text...)))
}

// optionLength is the length of the option that a text begins with: flags, width, precision and a
// letter.
func optionLength(L *glua.LState, text string) int {
	const digits, widest = "0123456789", 6 // fmt ignores larger widths
	rest := strings.TrimLeft(text[1:], "-+ #0")
	width := len(rest)
	rest = strings.TrimLeft(rest, digits)
	width -= len(rest)
	precision := 0
	if strings.HasPrefix(rest, ".") {
		precision = len(rest)
		rest = strings.TrimLeft(rest[1:], digits)
		precision -= len(rest) + 1
	}
	if width >= widest || precision >= widest {
		L.RaiseError("invalid format (width or precision too long)")
	}
	n := len(text) - len(rest)
	if rest == "" || !strings.Contains("cdiouxXeEfgGqs", rest[:1]) {
		L.RaiseError("invalid option '%%%s' to 'format'", rest[:min(1, len(rest))])
	}
	return n + 1
}

// formatted appends an argument as an option says.
func formatted(L *glua.LState, out []byte, option string, arg int) []byte {
	if arg > L.GetTop() {
		L.ArgError(arg, "no value")
	}
	letter := option[len(option)-1]
	if letter == 's' || letter == 'q' {
		return formattedText(L, out, option, L.Get(arg).String())
	}
	n := number(L, arg, letter)
	switch letter {
	case 'd', 'i', 'u':
		if len(option) == 2 {
			return strconv.AppendInt(out, int64(n), 10)
		}
		option = option[:len(option)-1] + "d"
	}
	return fmt.Appendf(out, option, n)
}

// formattedText appends a text. Quoted, a byte may become four.
func formattedText(L *glua.LState, out []byte, option, text string) []byte {
	if strings.HasSuffix(option, "q") && len(text) > maxString/4 || len(out)+len(text) > maxString {
		tooLarge(L)
	}
	if option == "%s" {
		return append(out, text...)
	}
	return fmt.Appendf(out, option, text)
}

// number is an argument that is a number, or a string that is one. As in gopher-lua, any other
// string is 0 for %d.
func number(L *glua.LState, arg int, letter byte) glua.LNumber {
	if text, ok := L.Get(arg).(glua.LString); ok {
		n := glua.LVAsNumber(text) // 0 also for a text that is no number
		if _, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); n != 0 || err == nil || letter == 'd' {
			return n
		}
	}
	return L.CheckNumber(arg)
}
