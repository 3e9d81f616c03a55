package top

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

const (
	headLines = 5 // above the rows, with their titles
	footLines = 2 // below them
)

// rows is how many lines the list or the text of a screen has.
func (m *model) rows() int { return max(0, m.height-headLines-footLines) }

// View draws the whole screen.
func (m *model) View() tea.View {
	v := tea.NewView(m.frame())
	v.AltScreen = true
	v.WindowTitle = "selvage top " + brief(m.summary.Program)
	return v
}

// frame is the screen as text: exactly height lines of width cells.
func (m *model) frame() string {
	lines := append(m.head(), m.body()...)
	lines = append(lines, m.foot()...)
	for i, line := range lines {
		lines[i] = pad(ansi.Truncate(line, m.width, cut), m.width)
	}
	return strings.Join(lines[:max(0, min(len(lines), m.height))], "\n")
}

// head has the verdict, the counts and the rates, what the list shows, and the titles.
func (m *model) head() []string {
	s := &m.summary
	name := fit(s.Program, min(max(12, m.width/3), ansi.StringWidth(client.Printable(clip(s.Program, m.width)))))
	state, right := m.verdict(), m.state()
	left := m.paint.bold(name) + "  " + state
	return []string{
		left + pad("", m.width-ansi.StringWidth(left)-ansi.StringWidth(right)) + right,
		counts(s),
		rates(s),
		m.title(),
		m.titles(),
	}
}

// verdict tells whether the program runs, or how the run has ended.
func (m *model) verdict() string {
	text := m.word()
	switch m.summary.Verdict {
	case inspect.Running:
		return text
	case "done", "exited":
		return m.paint.bold("ended: " + text)
	}
	return m.paint.alarm("ended: " + text)
}

// word is the verdict as it is shown.
func (m *model) word() string { return tail(m.summary.Verdict, 20) }

// state tells how good the connection is.
func (m *model) state() string {
	switch {
	case m.connection.closed:
		return "closed  " + m.host
	case m.connection.lost != "":
		return m.paint.alarm("no connection") + "  " + m.host
	case m.connection.unanswered != "":
		return m.paint.alarm("no answer") + "  " + m.host
	}
	return m.host
}

// body is what the screen shows between head and foot.
func (m *model) body() []string {
	rows := m.rows()
	if m.screen == listScreen {
		return m.listRows(rows)
	}
	at, _ := m.position()
	lines := m.lines()
	lines = lines[min(*at, len(lines)):]
	lines = append([]string{}, lines[:min(len(lines), rows)]...)
	for len(lines) < rows {
		lines = append(lines, "")
	}
	return lines
}

// foot has what there is to tell, and the keys.
func (m *model) foot() []string {
	return []string{m.tell(), m.paint.faint(m.hint())}
}

// tell is the most important thing that is to be told.
func (m *model) tell() string {
	c := m.connection
	switch {
	case m.confirm != nil:
		return m.paint.alarm(string(m.confirm.action) + " " + m.confirm.id + "? y does it, any other key does not")
	case m.list.typing:
		return "search: " + tail(m.list.draft, m.width-9) + "_"
	case m.message != "":
		return m.message
	case c.closed && m.ended():
		return "the run has ended: " + m.word() + "; its inspector is closed, this is its last state"
	case c.lost != "" && c.closed:
		return c.lost
	case c.lost != "":
		return fmt.Sprintf("trying again in %s: %s", c.retry, c.lost)
	case c.unanswered != "":
		return "the program does not answer: " + c.unanswered
	case m.failed != "":
		return m.failed
	case m.ended() && m.summary.Error != "":
		why, _, _ := strings.Cut(m.summary.Error, "\n")
		return "the run has ended: " + client.Printable(clip(why, m.width))
	}
	return ""
}

// tail is the end of a text that fits.
func tail(text string, width int) string {
	text = clipEnd(text, width)
	return strings.TrimRight(fitEnd(text, min(max(width, 0), ansi.StringWidth(text))), " ")
}

// hint names the keys of the screen.
func (m *model) hint() string {
	switch {
	case m.list.typing:
		return "Enter search  Esc leave it  ^U clear"
	case m.screen == listScreen && m.summary.Islands > 1:
		return "? help  / search  s sort  f filter  Enter fiber  g graph  i islands  q quit"
	case m.screen == listScreen:
		return "? help  / search  s sort  r reverse  f filter  Enter fiber  g graph  q quit"
	case m.screen == fiberScreen:
		return "Esc back  arrows scroll  g graph  p pause  c cancel  k kill  ? help  q quit"
	}
	return "Esc back  arrows scroll  q quit"
}
