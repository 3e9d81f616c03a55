package top

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/inspect"
)

// fiberLines is everything about one fiber.
func (m *model) fiberLines() []string {
	d := m.fiber.of
	if d == nil {
		return []string{"…"}
	}
	t := text{width: m.width}
	t.add(0, "%s", strings.Join(describe(d), "  "))
	m.waits(&t, d)
	if len(d.Waiters) > 0 {
		t.heading(m.paint, "Waited for by")
	}
	for _, w := range d.Waiters {
		reason := "its native call"
		if w.Object != "" {
			reason = w.Object
		}
		t.add(1, "%s %s  for %s", w.ID, w.Name, reason)
	}
	m.stack(&t, d)
	if len(d.History) > 0 {
		t.heading(m.paint, "Recent events")
	}
	for _, e := range d.History {
		t.add(1, "%12s  %-10s %s", span(e.At), e.What, e.Text)
	}
	return t.all()
}

// describe has the state of a fiber, one thing each.
func describe(d *inspect.Detail) []string {
	all := []string{d.State}
	if d.Name != "" {
		all = []string{d.Name, d.State}
	}
	if d.Reason != "" {
		all = append(all, "reason "+d.Reason)
	}
	if d.Deadline != nil {
		all = append(all, "timeout in "+span(*d.Deadline-d.Now))
	}
	if d.Paused {
		all = append(all, "paused")
	}
	if d.Site != "" {
		all = append(all, "at "+d.Site)
	}
	return all
}

func (m *model) waits(t *text, d *inspect.Detail) {
	if len(d.On) > 0 || d.Call != "" || d.External {
		t.heading(m.paint, "Waits on")
	}
	for _, on := range d.On {
		t.add(1, "%s", on.Object)
		for _, holder := range on.Holders {
			t.add(2, "held by %s %s", holder.ID, holder.Name)
		}
		if len(on.Holders) == 0 {
			t.add(2, "any fiber might end the wait")
		}
	}
	if d.Call != "" {
		t.add(1, "native call %s", d.Call)
	}
	if d.External {
		t.add(1, "the outside, such as a timer or a file")
	}
}

func (m *model) stack(t *text, d *inspect.Detail) {
	if len(d.Stack) > 0 {
		t.heading(m.paint, "Stack, the innermost call first")
	}
	for _, c := range d.Stack {
		place := c.File
		if c.Line > 0 {
			place = fmt.Sprintf("%s:%d", c.File, c.Line)
		}
		t.add(1, "%s  %s", c.Function, place)
		if c.Source != nil {
			for i, line := range c.Source.Lines {
				sign, number := ' ', c.Source.First+i
				if number == c.Line {
					sign = '>'
				}
				t.add(2, "%c%5d  %s", sign, number, strings.ReplaceAll(line, "\t", "    "))
			}
		}
		for _, v := range c.Locals {
			t.add(3, "%s = %s", v.Name, v.Value)
		}
	}
}
