package lua

import (
	"fmt"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// format is string.format. gopher-lua's passes the format to Go's fmt, which has other options than
// Lua, prints the fields of Go values, and has no bound.
func (s *State) format(L *glua.LState) int {
	text := L.CheckString(1)
	out := s.meter.NewText(L, len(text))
	defer out.Close()
	for arg := 2; ; {
		at := strings.IndexByte(text, '%')
		if at < 0 {
			break
		}
		out.Add(text[:at])
		if text = text[at:]; strings.HasPrefix(text, "%%") {
			out.Add("%")
			text = text[2:]
			continue
		}
		n := optionLength(L, text)
		s.formatted(L, out, text[:n], arg)
		text = text[n:]
		arg++
	}
	out.Add(text)
	return push(L, glua.LString(out.String()))
}

// optionLength is the length of the option that a text begins with: flags, width, precision and a
// letter.
func optionLength(L *glua.LState, text string) int {
	const digits, widest, most = "0123456789", 6, 32 // fmt ignores larger widths
	text = text[:min(len(text), most)]
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
	switch {
	case width >= widest || precision >= widest:
		L.RaiseError("invalid format (width or precision too long)")
	case rest == "" && len(text) == most:
		L.RaiseError("invalid format (repeated flags)")
	}
	n := len(text) - len(rest)
	if rest == "" || !strings.Contains("cdiouxXeEfgGqs", rest[:1]) {
		L.RaiseError("invalid option '%%%s' to 'format'", rest[:min(1, len(rest))])
	}
	return n + 1
}

// formatted appends an argument as an option says.
func (s *State) formatted(L *glua.LState, out *vm.Text, option string, arg int) {
	if arg > L.GetTop() {
		L.ArgError(arg, "no value")
	}
	letter := option[len(option)-1]
	if letter == 's' || letter == 'q' {
		s.formattedText(L, out, option, L.Get(arg).String())
		return
	}
	n := s.number(L, arg, letter)
	switch letter {
	case 'd', 'i', 'u':
		if len(option) == 2 {
			out.Add(strconv.FormatInt(int64(n), 10))
			return
		}
		option = option[:len(option)-1] + "d"
	}
	out.Add(fmt.Sprintf(option, n))
}

// number is an argument that is a number, or a string that is one. As in gopher-lua, any other
// string is 0 for %d.
func (s *State) number(L *glua.LState, arg int, letter byte) glua.LNumber {
	if text, ok := L.Get(arg).(glua.LString); ok {
		if len(text) > maxNumeral {
			L.TypeError(arg, glua.LTNumber)
		}
		s.ChargeBytes(len(text))
		n := glua.LVAsNumber(text) // 0 also for a text that is no number
		if _, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); n != 0 || err == nil || letter == 'd' {
			return n
		}
	}
	return L.CheckNumber(arg)
}
