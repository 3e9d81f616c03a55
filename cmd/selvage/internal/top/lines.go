package top

import "strings"

// drawing is what the lines of a page depend on.
type drawing struct {
	screen screen
	answer any // the pointer to what is shown
	width  int
	paint  paint
	ended  bool
}

// lines is the whole text of a screen that is no list. It is made once for each answer and width, because each key and
// each frame asks for it. The caller does not change it.
func (m *model) lines() []string {
	d := drawing{m.screen, nil, m.width, m.paint, m.ended()}
	var draw func() []string
	switch m.screen {
	case fiberScreen:
		d.answer, draw = m.fiber.of, m.fiberLines
	case graphScreen:
		d.answer, draw = m.graph.of, m.graphLines
	case islandsScreen:
		d.answer, draw = m.islands.of, m.islandsLines
	case helpScreen:
		draw = func() []string { return strings.Split(Keys, "\n") }
	default:
		return nil
	}
	if m.drawn == nil || m.drawing != d {
		m.drawing, m.drawn = d, draw()
	}
	return m.drawn
}
