package top

import (
	tea "charm.land/bubbletea/v2"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

// graphNodes is how many nodes of a graph are shown at most.
const graphNodes = 200

// model is the state of the screen. Bubble Tea calls it on one goroutine.
type model struct {
	host          string
	paint         paint
	ask           func(want) // never blocks
	do            func(deed) // never blocks, while acting is false
	width, height int
	connection    connection
	summary       inspect.Summary
	screen        screen
	back          screen // under the help
	list          list
	fiber         page[*inspect.Detail]
	graph         page[*inspect.Graph]
	islands       page[*inspect.SetReport]
	help          int // the first line that is shown
	asked         want
	acting        bool
	confirm       *deed  // what y will do; nil if nothing was asked
	message       string // until the next key
	failed        string // why the newest answer is none; until there is one
	drawing       drawing
	drawn         []string // the lines of drawing; nil before they are made
}

// connection tells how good what is shown is.
type connection struct {
	lost       string // why there is no connection
	retry      string
	unanswered string // why the program does not answer
	closed     bool   // no more events come
}

// page is a text that is longer than the screen.
type page[T any] struct {
	id    string // of the fiber; empty for the whole graph
	of    T      // nil until it is there
	first int    // the first line that is shown

	omitted omitted // what was left out of it
}

func newModel(host string, first *inspect.Summary, p paint, ask func(want), do func(deed)) *model {
	return &model{host: host, paint: p, summary: *first, ask: ask, do: do, width: 80, height: 24}
}

// Init asks for the first list.
func (m *model) Init() tea.Cmd {
	m.request()
	return nil
}

// Update takes one message. What the screen needs then goes to the loader.
func (m *model) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch message := message.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = message.Width, message.Height
	case tea.KeyPressMsg:
		cmd = m.press(message)
	case tea.PasteMsg:
		m.list.typed(message.Content)
	case client.Event:
		m.event(message)
	case over:
		m.connection.closed = true
		if message.err != nil {
			m.connection.lost = brief(message.err.Error())
		}
	case got:
		m.got(message)
	case did:
		m.did(message)
	}
	m.clamp()
	m.request()
	return m, cmd
}

// clamp keeps what is shown within what there is: an answer may be shorter than the one before.
func (m *model) clamp() {
	m.list.clamp(m.rows())
	if m.screen != listScreen {
		at, last := m.position()
		*at = max(min(*at, last), 0)
	}
}

// event takes what the inspector tells, or what happens to the connection.
func (m *model) event(e client.Event) {
	before := m.connection
	m.connection = connection{}
	switch e := e.(type) {
	case client.Summarized:
		m.summary = *e.Summary
	case client.Ended:
		m.summary.Ending = e.Ending
	case client.Unanswered:
		m.connection.unanswered = brief(e.Text)
	case client.Lost:
		m.connection.lost, m.connection.retry = brief(e.Err.Error()), span(int64(e.Retry))
	}
	if before.lost != "" && m.connection.lost == "" {
		m.asked = want{screen: -1} // what is shown may be of another run
	}
}

// ended tells whether the run is known to have ended.
func (m *model) ended() bool { return m.summary.Verdict != inspect.Running }

// request tells the loader what the screen needs, if that is something new.
func (m *model) request() {
	w := want{screen: m.screen}
	switch m.screen {
	case listScreen:
		w.query = m.list.query(m.rows())
	case fiberScreen:
		w.id = m.fiber.id
	case graphScreen:
		w.id = m.graph.id
	}
	if w != m.asked {
		m.asked = w
		m.ask(w)
	}
}

// got takes an answer, unless the screen needs something else by now.
func (m *model) got(g got) {
	if g.want != m.asked {
		return
	}
	m.failed, m.drawn = "", nil
	switch {
	case g.err != nil:
		m.failed = brief(g.err.Error())
	case g.list != nil:
		boundList(g.list)
		m.list.take(g.list, g.want.query.Offset)
	case g.fiber != nil:
		m.fiber.of = g.fiber
	case g.graph != nil:
		m.graph.of, m.graph.omitted = g.graph, boundGraph(g.graph)
	case g.set != nil:
		m.islands.of, m.islands.omitted = g.set, boundSet(g.set)
	}
}

// did tells how what was done to a fiber has ended.
func (m *model) did(d did) {
	m.acting = false
	m.message = string(d.deed.action) + " " + d.deed.id + ": done"
	if d.err != nil {
		m.message = string(d.deed.action) + " " + d.deed.id + ": " + brief(d.err.Error())
	}
}
