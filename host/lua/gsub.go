package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/pm"
)

// openReplace has string.gsub put its result together in one go. gopher-lua's copies the whole
// string at each match, so that one call on a megabyte takes minutes, which nothing interrupts.
func (s *State) openReplace() {
	s.library(glua.StringLibName, "gsub").GFunction = func(L *glua.LState) int {
		text, pattern := L.CheckString(1), L.CheckString(2)
		L.CheckTypes(3, glua.LTString, glua.LTTable, glua.LTFunction)
		most := L.OptInt(4, -1)
		matches, err := pm.Find(pattern, []byte(text), 0, most)
		if err != nil {
			L.RaiseError("%s", err.Error())
		}
		if most == 0 { // which pm takes for no limit
			matches = nil
		}
		with, behind := replacement{L, text, L.Get(3)}, 0
		var b strings.Builder
		for _, m := range matches {
			start, end := m.Capture(0), m.Capture(1)
			new, ok := with.of(m)
			if !ok {
				new = text[start:end]
			}
			if b.Len()+len(new)+len(text)-behind > maxRepeated {
				L.RaiseError("resulting string too large")
			}
			b.WriteString(text[behind:start])
			b.WriteString(new)
			behind = end
		}
		b.WriteString(text[behind:])
		L.Push(glua.LString(b.String()))
		L.Push(glua.LNumber(len(matches)))
		return 2
	}
}

// replacement is what matches in a text are replaced by.
type replacement struct {
	L    *glua.LState
	text string
	by   glua.LValue
}

// of is what a match is replaced by, unless it stays.
func (r replacement) of(m *pm.MatchData) (new string, ok bool) {
	var v glua.LValue
	switch by := r.by.(type) {
	case *glua.LTable:
		v = r.L.GetTable(by, r.captured(m, 2))
	case *glua.LFunction:
		r.L.Push(by)
		r.L.Push(r.captured(m, 2))
		for i := 4; i < m.CaptureLength(); i += 2 {
			r.L.Push(r.captured(m, i))
		}
		r.L.Call(max(1, m.CaptureLength()/2-1), 1)
		v = r.L.Get(-1)
		r.L.Pop(1)
	default:
		return r.expanded(m, string(by.(glua.LString))), true
	}
	return glua.LVAsString(v), !glua.LVIsFalse(v)
}

// captured is a capture; without any the first is the whole match.
func (r replacement) captured(m *pm.MatchData, i int) glua.LValue {
	switch {
	case i == 2 && m.CaptureLength() <= 2:
		i = 0
	case i >= m.CaptureLength():
		r.L.RaiseError("invalid capture index")
	}
	if m.IsPosCapture(i) {
		return glua.LNumber(m.Capture(i))
	}
	return glua.LString(r.text[m.Capture(i):m.Capture(i+1)])
}

// expanded is a string whose %0 to %9 are captures, and %% is %.
func (r replacement) expanded(m *pm.MatchData, by string) string {
	if !strings.Contains(by, "%") {
		return by
	}
	var b strings.Builder
	for i := 0; i < len(by); i++ {
		switch {
		case by[i] != '%' || i+1 == len(by):
			b.WriteByte(by[i])
			continue
		case by[i+1] == '%':
			b.WriteByte('%')
		case by[i+1] >= '0' && by[i+1] <= '9':
			b.WriteString(r.captured(m, 2*int(by[i+1]-'0')).String())
		default:
			b.WriteString(by[i : i+2])
		}
		i++
		if b.Len() > maxRepeated {
			r.L.RaiseError("resulting string too large")
		}
	}
	return b.String()
}
