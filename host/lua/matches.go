package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/pm"
)

// batch is the least number of matches to search for in one call. All matches of a text would take
// sixty times its memory. A long pattern, which each call parses again, justifies larger batches;
// but each match has all captures of the pattern.
const batch = 1 << 10

// matches are the matches of a pattern in a text, found in batches.
type matches struct {
	pattern string
	source  []byte
	from    int // where the next search begins
	several int // the matches of one search
	found   []*pm.MatchData
	all     bool // found has the last matches
}

// newMatches searches for at most the given number of matches at once.
func newMatches(text, pattern string, most float64) *matches {
	several := max(batch, len(pattern)/(1+strings.Count(pattern, "(")))
	return &matches{pattern: pattern, source: []byte(text), several: int(min(float64(several), most))}
}

// next returns the next match, if there is one. It raises an error about a bad pattern.
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

// captured returns a capture of a match in a text. If the pattern has no captures, the first is the
// whole match.
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
