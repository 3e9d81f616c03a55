package top

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/inspect"
)

// counts is the line of numbers.
func counts(s *inspect.Summary) string {
	return fmt.Sprintf("%s fibers  %s active  %s blocked  %s native calls", count(s.Fibers), count(s.Active), count(s.Blocked), count(s.Calls))
}

// rates is the line of what happens per second.
func rates(s *inspect.Summary) string {
	r := s.Rates
	return fmt.Sprintf("per second: %s transitions  %s spawned  %s ended", rate(r.Transitions), rate(r.Spawned), rate(r.Ended))
}

// column is one of the list.
type column struct {
	title string
	sort  string // its name in a sort
	width int
	cell  func(f *inspect.Row, now int64) string
	end   bool // of a long text, the end is shown
}

// columns are those that a list of the width has. The widths and the blanks between them add up to it.
func columns(width int) []column {
	rest := max(0, width-44)
	return []column{
		{"ID", "id", 10, func(f *inspect.Row, _ int64) string { return f.ID }, false},
		{"NAME", "name", rest / 4, func(f *inspect.Row, _ int64) string { return f.Name }, false},
		{"STATE", "state", 9, func(f *inspect.Row, _ int64) string { return f.State }, false},
		{"REASON", "reason", 8, func(f *inspect.Row, _ int64) string { return f.Reason }, false},
		{"TIMEOUT", "deadline", 9, timeout, false},
		{"WAITS ON", "waits", rest - rest/4 - rest/3, waitsOn, false},
		{"SITE", "site", rest / 3, func(f *inspect.Row, _ int64) string { return f.Site }, true},
	}
}

// timeout is in how long the wait of a fiber ends by itself.
func timeout(f *inspect.Row, now int64) string {
	if f.Deadline == nil {
		return ""
	}
	return span(*f.Deadline - now)
}

// waitsOn is what a fiber waits on, objects before its native call.
func waitsOn(f *inspect.Row, _ int64) string {
	on := strings.Join(f.Waits, " | ")
	if f.Call != "" {
		on += " native call " + f.Call
	}
	if on == "" && f.External {
		on = "the outside"
	}
	return strings.TrimSpace(on)
}

// title tells what the screen shows.
func (m *model) title() string {
	switch m.screen {
	case fiberScreen:
		return m.paint.bold("fiber " + m.fiber.id)
	case graphScreen:
		if m.graph.id != "" {
			return m.paint.bold("what is connected to " + m.graph.id)
		}
		return m.paint.bold("what waits for what")
	case islandsScreen:
		return m.paint.bold("islands and the ports between them")
	case helpScreen:
		return m.paint.bold("keys")
	}
	l := &m.list
	text := "loading"
	if p := l.of; p != nil {
		text = "no fiber"
		if p.Matched > 0 {
			text = fmt.Sprintf("%s-%s of %s", count(l.first+1), count(min(l.first+m.rows(), p.Matched)), count(p.Matched))
		}
		if p.Matched != p.Total {
			text += fmt.Sprintf(" (%s in all)", count(p.Total))
		}
	}
	text += "  sorted by " + sorts()[l.sort]
	if l.down {
		text += ", descending"
	}
	if l.state != 0 {
		text += "  state " + states()[l.state]
	}
	if l.search != "" {
		text += "  search " + fit(l.search, min(len(l.search), 40))
	}
	return text
}

// titles are those of the columns, with a sign at the one that the list is sorted by.
func (m *model) titles() string {
	if m.screen != listScreen {
		return ""
	}
	titles := []string{}
	for _, c := range columns(m.width) {
		title := c.title
		switch {
		case c.sort != sorts()[m.list.sort]:
		case m.list.down:
			title += "▼"
		default:
			title += "▲"
		}
		titles = append(titles, fit(title, c.width))
	}
	return m.paint.bold("  " + strings.Join(titles, " "))
}

// listRows are the rows of the list, or what is to be told in place of them.
func (m *model) listRows(rows int) []string {
	lines := make([]string, rows)
	for i := range lines {
		lines[i] = m.row(m.list.first + i)
	}
	switch {
	case rows == 0:
	case m.list.of == nil:
		lines[0] = "  …"
	case m.list.of.Matched == 0 && m.list.of.Total > 0:
		lines[0] = "  no fiber matches; Esc ends the search, f changes the state"
	}
	return lines
}

// row is one line of the list. Besides how it is drawn, a sign tells which is chosen, and which are paused.
func (m *model) row(index int) string {
	f := m.list.at(index)
	if f == nil {
		return ""
	}
	signs := []byte("  ")
	if index == m.list.cursor {
		signs[0] = '>'
	}
	if f.Paused {
		signs[1] = 'P'
	}
	cells := []string{}
	for _, c := range columns(m.width) {
		draw := fit
		if c.end {
			draw = fitEnd
		}
		cells = append(cells, draw(c.cell(f, m.list.of.Now), c.width))
	}
	text := fit(string(signs)+strings.Join(cells, " "), m.width)
	if index == m.list.cursor {
		return m.paint.chosen(text)
	}
	return text
}
