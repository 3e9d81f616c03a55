package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// maxDateField is the most bytes of a field of the table that os.time takes.
const maxDateField = 64

// openDates makes os.date format a long text in parts, and os.time refuse fields that are no numbers.
func (s *State) openDates() {
	date := s.library(glua.OsLibName, "date")
	native := date.GFunction
	date.GFunction = func(L *glua.LState) int {
		if L.GetTop() > 0 {
			if text := L.CheckString(1); len(text) > vm.BytesPerStep {
				return s.longDate(L, native, text)
			}
		}
		return native(L)
	}
	s.guarded(glua.OsLibName, "time", checkDate)
}

// longDate formats a text in parts. Only its beginning says that the time is UTC.
func (s *State) longDate(L *glua.LState, native glua.LGFunction, text string) int {
	before := ""
	if strings.HasPrefix(text, "!") {
		before, text = "!", strings.TrimLeft(text, "!")
	}
	if strings.HasPrefix(text, "*t") {
		L.Replace(1, glua.LString(before+"*t"))
		return native(L)
	}
	if L.GetTop() == 1 {
		L.Push(glua.LNumber(s.config.Now().Unix()))
	}
	out := s.meter.NewText(L, len(text))
	defer out.Close()
	for text != "" {
		n := whole(text, vm.BytesPerStep)
		const plain = "-" // so that nothing in the part is taken for a beginning
		L.Replace(1, glua.LString(before+plain+text[:n]))
		native(L)
		out.Add(strings.TrimPrefix(L.Get(-1).String(), plain))
		L.Pop(1)
		text = text[n:]
	}
	return push(L, glua.LString(out.String()))
}

// whole is where to divide a format near the byte n, so that no option is divided.
func whole(format string, n int) int {
	if n >= len(format) {
		return len(format)
	}
	signs := n - len(strings.TrimRight(format[:n], "%"))
	return n - signs%2
}

func checkDate(L *glua.LState) {
	fields, ok := L.Get(1).(*glua.LTable)
	if !ok {
		return
	}
	for _, name := range []string{"sec", "min", "hour", "day", "month", "year"} {
		if text, ok := fields.RawGetString(name).(glua.LString); ok && len(text) > maxDateField {
			L.RaiseError("field '%s' is not a number", name)
		}
	}
}
