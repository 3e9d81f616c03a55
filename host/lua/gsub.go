package lua

import (
	"math"
	"strings"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/pm"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// openReplace replaces string.gsub by one that builds its result once. gopher-lua's copies the
// whole string at each match: a call on a megabyte takes minutes without a preemption.
func (s *State) openReplace() {
	s.library(glua.StringLibName, "gsub").GFunction = func(L *glua.LState) int {
		text, pattern := L.CheckString(1), L.CheckString(2)
		with := replacement{L, s.meter, text, replacing(L)}
		var b strings.Builder
		count, behind, most := 0, 0, limit(L)
		found := newMatches(text, pattern, max(most, 1)) // at least one search, which reports a bad pattern
		for m, ok := found.next(L); ok && float64(count) < most; m, ok = found.next(L) {
			count++
			start, end := m.Capture(0), m.Capture(1)
			new, ok := with.of(m)
			if !ok {
				new = text[start:end]
			}
			if b.Len()+len(new)+len(text)-behind > maxString {
				L.RaiseError("resulting string too large")
			}
			b.WriteString(text[behind:start])
			b.WriteString(new)
			behind = end
		}
		b.WriteString(text[behind:])
		return push(L, glua.LString(b.String()), glua.LNumber(count))
	}
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
	text  string
	by    glua.LValue
}

// of returns the text that replaces a match. ok is false if the match stays.
func (r replacement) of(m *pm.MatchData) (new string, ok bool) {
	var v glua.LValue
	switch by := r.by.(type) {
	case *glua.LTable:
		v = r.meter.Index(r.L, by, captured(r.L, r.text, m, 2))
	case *glua.LFunction:
		r.L.Push(by)
		r.L.Push(captured(r.L, r.text, m, 2))
		for i := 4; i < m.CaptureLength(); i += 2 {
			r.L.Push(captured(r.L, r.text, m, i))
		}
		r.L.Call(max(1, m.CaptureLength()/2-1), 1)
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
			b.WriteString(captured(r.L, r.text, m, 2*int(by[i+1]-'0')).String())
		default:
			b.WriteString(by[i : i+2])
		}
		i++
		if b.Len() > maxString {
			r.L.RaiseError("resulting string too large")
		}
	}
	return b.String()
}
