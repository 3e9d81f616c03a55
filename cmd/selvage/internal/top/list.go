package top

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

// maxSearch is how many bytes the inspector accepts.
const maxSearch = 200

// most is how many fibers a list can have.
const most = 1 << 30

// sorts are the columns by which s sorts, in its order.
func sorts() []string {
	return []string{"id", "name", "state", "reason", "waits", "deadline", "site"}
}

// states are those that f shows, in its order; the first is all.
func states() []string { return []string{"", "runnable", "running", "blocked"} }

// list is the state of the list of fibers: what it shows, and where it is.
type list struct {
	of     *inspect.List // the part that was answered last; nil until there is one
	first  int           // the index of the first row of the screen
	cursor int           // that of the chosen row
	search string
	sort   int // in sorts
	down   bool
	state  int // in states

	typing bool   // the search is being typed
	draft  string // as far as it is typed
}

// query asks for the rows of the screen.
func (l *list) query(rows int) client.Query {
	return client.Query{Search: l.search, State: states()[l.state], Sort: sorts()[l.sort], Descending: l.down,
		Offset: l.first, Limit: min(max(rows, 1), inspect.MaxList)}
}

// take is an answer from an offset. Its numbers are not trusted. The cursor stays with its fiber as long as that is in
// the same part, because a key acts on what was seen.
func (l *list) take(of *inspect.List, offset int) {
	if chosen := l.at(l.cursor); chosen != nil {
		if i := slices.IndexFunc(of.Fibers, func(r inspect.Row) bool { return r.ID == chosen.ID }); i >= 0 {
			l.cursor = offset + i
		}
	}
	of.Offset, of.Matched, of.Total = offset, max(min(of.Matched, most), 0), max(of.Total, 0)
	l.of = of
}

// clamp moves the cursor into the list, and the screen to the cursor.
func (l *list) clamp(rows int) {
	rows = max(rows, 1)
	if l.of != nil {
		l.cursor = min(l.cursor, l.of.Matched-1)
	}
	l.cursor = max(l.cursor, 0)
	l.first = max(min(l.first, l.cursor), l.cursor-rows+1)
	if l.of != nil {
		l.first = max(min(l.first, l.of.Matched-rows), 0)
	}
}

// at is the fiber of an index; nil if it was not answered yet.
func (l *list) at(index int) *inspect.Row {
	if l.of == nil || index < l.of.Offset || index-l.of.Offset >= len(l.of.Fibers) {
		return nil
	}
	return &l.of.Fibers[index-l.of.Offset]
}

// last is the index of the last row.
func (l *list) last() int {
	if l.of == nil {
		return 0
	}
	return l.of.Matched - 1
}

// typed adds to the search.
func (l *list) typed(text string) {
	if text = client.Printable(text); l.typing && len(l.draft)+len(text) <= maxSearch {
		l.draft += text
	}
}

// erase takes the last character of the search away.
func (l *list) erase() {
	_, size := utf8.DecodeLastRuneInString(l.draft)
	l.draft = l.draft[:len(l.draft)-size]
}

// find begins to search for what was typed.
func (l *list) find(text string) {
	l.search, l.typing, l.draft = strings.TrimSpace(text), false, ""
	l.top()
}

// top goes to the first row.
func (l *list) top() { l.first, l.cursor = 0, 0 }
