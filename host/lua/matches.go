package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/pm"
)

// batch is how many matches are looked for at once, at least. All of a text would take sixty times
// its memory. A long pattern, which is read anew each time, is worth more of them; but a match has
// all captures of the pattern.
const batch = 1 << 10

// matches are those of a pattern in a text, found some at a time.
type matches struct {
	pattern string
	source  []byte
	from    int // where those that were not found yet begin
	several int // how many are looked for at once
	found   []*pm.MatchData
	all     bool // there are no more than those found
}

// newMatches is for whoever wants at most so many.
func newMatches(text, pattern string, most float64) *matches {
	several := max(batch, len(pattern)/(1+strings.Count(pattern, "(")))
	return &matches{pattern: pattern, source: []byte(text), several: int(min(float64(several), most))}
}

// next is the next match, if there is one. It raises what is wrong with the pattern.
func (m *matches) next(L *glua.LState) (match *pm.MatchData, ok bool) {
	if len(m.found) == 0 && !m.all {
		m.find(L)
	}
	if len(m.found) == 0 {
		return nil, false
	}
	match = m.found[0]
	m.found[0], m.found = nil, m.found[1:]
	return match, true
}

func (m *matches) find(L *glua.LState) {
	found, err := pm.Find(m.pattern, m.source, m.from, m.several)
	if err != nil {
		L.RaiseError("%s", err.Error())
	}
	if m.found, m.all = found, len(found) < m.several; !m.all {
		last := found[m.several-1]
		m.from = max(last.Capture(0)+1, last.Capture(1))
	}
}

// captured is a capture of a match in a text; without any the first is the whole match.
func captured(L *glua.LState, text string, m *pm.MatchData, i int) glua.LValue {
	switch {
	case i == 2 && m.CaptureLength() <= 2:
		i = 0
	case i >= m.CaptureLength():
		L.RaiseError("invalid capture index")
	}
	if m.IsPosCapture(i) {
		return glua.LNumber(m.Capture(i))
	}
	return glua.LString(text[m.Capture(i):m.Capture(i+1)])
}
