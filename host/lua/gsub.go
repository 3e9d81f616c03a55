package lua

import (
	"math"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/pattern"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// gsub is string.gsub. It builds its result once: gopher-lua's copies the whole string at each match.
func (s *State) gsub(L *glua.LState) int {
	text, of := L.CheckString(1), L.CheckString(2)
	with := replacement{L, s.meter, replacing(L)}
	out := s.meter.NewText(L, 0)
	defer out.Close()
	count, behind, most := 0, 0, limit(L)
	found := s.search(L, text, of, 0)
	for next(L, found) && float64(count) < most { // at least one search, which reports a bad pattern
		count++
		new, ok := with.of(&found.Match)
		if !ok {
			new = text[found.Start:found.End]
		}
		out.Add(text[behind:found.Start])
		out.Add(new)
		behind = found.End
	}
	if count == 0 {
		return push(L, glua.LString(text), glua.LNumber(0))
	}
	out.Add(text[behind:])
	return push(L, glua.LString(out.String()), glua.LNumber(count))
}

// replacing reads the replacement: argument 3.
func replacing(L *glua.LState) glua.LValue {
	L.CheckTypes(3, glua.LTString, glua.LTNumber, glua.LTTable, glua.LTFunction)
	by := L.Get(3)
	if n, ok := by.(glua.LNumber); ok {
		return glua.LString(n.String())
	}
	return by
}

// limit reads the most matches to replace: argument 4, which may be larger than any integer.
func limit(L *glua.LState) float64 {
	if L.Get(4) == glua.LNil {
		return math.Inf(1)
	}
	n := math.Trunc(float64(L.CheckNumber(4)))
	if n >= 1 {
		return n
	}
	return 0 // also for NaN
}

// replacement replaces the matches of a pattern in a text.
type replacement struct {
	L     *glua.LState
	meter *vm.Meter
	by    glua.LValue
}

// of returns the text that replaces a match. ok is false if the match stays.
func (r replacement) of(m *pattern.Match) (new string, ok bool) {
	var v glua.LValue
	switch by := r.by.(type) {
	case *glua.LTable:
		key := captured(r.L, r.meter, m, 0)
		r.meter.ChargeKey(key)
		v = r.meter.Index(r.L, by, key)
	case *glua.LFunction:
		r.L.Push(by)
		r.L.Call(pushCaptures(r.L, r.meter, m), 1)
		v = r.L.Get(-1)
		r.L.Pop(1)
	default:
		return r.expanded(m, string(by.(glua.LString))), true
	}
	if glua.LVIsFalse(v) {
		return "", false
	}
	if !glua.LVCanConvToString(v) {
		r.L.RaiseError("invalid replacement value (a %s)", v.Type())
	}
	return glua.LVAsString(v), true
}

// expanded replaces %0 to %9 in a string by captures, and %% by %.
func (r replacement) expanded(m *pattern.Match, by string) string {
	at := strings.IndexByte(by, '%')
	if at < 0 {
		return by
	}
	out := r.meter.NewText(r.L, len(by))
	defer out.Close()
	for ; at >= 0 && at+1 < len(by); at = strings.IndexByte(by, '%') {
		out.Add(by[:at])
		switch sign := by[at+1]; {
		case sign == '%':
			out.Add("%")
		case sign == '0':
			out.Add(m.Text[m.Start:m.End])
		case sign >= '1' && sign <= '9':
			out.Add(captured(r.L, r.meter, m, int(sign-'1')).String())
		default:
			out.Add(by[at : at+2])
		}
		by = by[at+2:]
	}
	out.Add(by)
	return out.String()
}
