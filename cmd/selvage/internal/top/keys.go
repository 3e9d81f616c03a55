package top

import (
	tea "charm.land/bubbletea/v2"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

// press takes one key.
func (m *model) press(key tea.KeyPressMsg) tea.Cmd {
	m.message = ""
	name := key.String()
	switch {
	case name == "ctrl+c":
		return tea.Quit
	case m.list.typing:
		m.typing(name, key.Text)
		return nil
	case m.confirm != nil:
		m.confirmed(name)
		return nil
	case name == "q":
		return tea.Quit
	case m.move(name), m.turn(name), m.control(name):
		return nil
	case m.screen == listScreen:
		m.arrange(name)
	}
	return nil
}

// typing takes a key of the search.
func (m *model) typing(name, text string) {
	switch l := &m.list; name {
	case "enter":
		l.find(l.draft)
	case "esc":
		l.typing, l.draft = false, ""
	case "backspace":
		l.erase()
	case "ctrl+u":
		l.draft = ""
	default:
		l.typed(text)
	}
}

// turn goes to another screen.
func (m *model) turn(name string) bool {
	chosen := m.chosen()
	switch {
	case name == "?" && m.screen != helpScreen:
		m.screen, m.back, m.help = helpScreen, m.screen, 0
	case name == "esc" || name == "backspace" || name == "left" || name == "?":
		m.leave(name)
	case name == "enter" && m.screen == listScreen && chosen != nil:
		m.screen, m.fiber = fiberScreen, page[*inspect.Detail]{id: brief(chosen.ID)}
	case name == "g" && m.screen == listScreen:
		m.screen, m.graph = graphScreen, page[*inspect.Graph]{}
	case name == "g" && m.screen == fiberScreen:
		m.screen, m.graph = graphScreen, page[*inspect.Graph]{id: m.fiber.id}
	case name == "i" && m.screen == listScreen:
		m.screen, m.islands = islandsScreen, page[*inspect.SetReport]{}
	default:
		return false
	}
	return true
}

// leave goes back to the screen before; in the list, Esc ends a search.
func (m *model) leave(name string) {
	switch {
	case m.screen == helpScreen:
		m.screen = m.back
	case m.screen == graphScreen && m.graph.id != "":
		m.screen = fiberScreen
	case m.screen == listScreen && name == "esc":
		m.list.find("")
	default:
		m.screen = listScreen
	}
}

// arrange changes which fibers the list shows, and in which order.
func (m *model) arrange(name string) {
	switch l := &m.list; name {
	case "/":
		l.typing, l.draft = true, l.search
	case "s":
		l.sort = (l.sort + 1) % len(sorts())
		l.top()
	case "S":
		l.sort = (l.sort + len(sorts()) - 1) % len(sorts())
		l.top()
	case "r":
		l.down = !l.down
		l.top()
	case "f":
		l.state = (l.state + 1) % len(states())
		l.top()
	}
}

// move scrolls.
func (m *model) move(name string) bool {
	rows := max(m.rows(), 1)
	at, last := m.position()
	switch name {
	case "up":
		*at--
	case "down":
		*at++
	case "pgup", "ctrl+b":
		*at -= rows
	case "pgdown", "ctrl+f", "space":
		*at += rows
	case "home":
		*at = 0
	case "end":
		*at = last
	default:
		return false
	}
	*at = max(min(*at, last), 0)
	return true
}

// position is what the arrow keys change, and the last value that it has.
func (m *model) position() (at *int, last int) {
	end := len(m.lines()) - m.rows()
	switch m.screen {
	case fiberScreen:
		return &m.fiber.first, end
	case graphScreen:
		return &m.graph.first, end
	case islandsScreen:
		return &m.islands.first, end
	case helpScreen:
		return &m.help, end
	}
	return &m.list.cursor, m.list.last()
}

// chosen is the fiber that a key acts on: the one at the cursor, or of the screen.
func (m *model) chosen() *inspect.Row {
	switch {
	case m.screen == listScreen:
		return m.list.at(m.list.cursor)
	case m.screen == fiberScreen && m.fiber.of != nil:
		return &m.fiber.of.Row
	}
	return nil
}

// control does something to the chosen fiber, if the inspector allows it.
func (m *model) control(name string) bool {
	f := m.chosen()
	switch {
	case name != "p" && name != "c" && name != "k":
		return false
	case !m.summary.Control:
		m.message = "this inspector changes nothing: start the program with --inspect-control too"
	case m.ended():
		m.message = "the run has ended: nothing can be changed"
	case f == nil:
		m.message = "no fiber is chosen"
	case m.acting:
		m.message = "the program has not answered yet"
	case name == "k":
		m.confirm = &deed{client.Kill, brief(f.ID)}
	case name == "c":
		m.confirm = &deed{client.Cancel, brief(f.ID)}
	case f.Paused:
		m.act(deed{client.Resume, brief(f.ID)})
	default:
		m.act(deed{client.Pause, brief(f.ID)})
	}
	return true
}

// confirmed does after y what cannot be taken back.
func (m *model) confirmed(name string) {
	d := *m.confirm
	m.confirm = nil
	if name != "y" && name != "Y" {
		m.message = "no " + string(d.action) + ": " + d.id
		return
	}
	m.act(d)
}

func (m *model) act(d deed) {
	m.acting = true
	m.message = string(d.action) + " " + d.id + " …"
	m.do(d)
}
