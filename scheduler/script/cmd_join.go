package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

// cell is a completion cell under its name.
type cell struct {
	ioqueue.Cell
	name string
}

// Describe is that of the cell, with its name.
func (c *cell) Describe() string { return c.name + ": " + c.Cell.Source().(fiber.Described).Describe() }

func cmdCell(w *world, a *args) {
	name := a.fresh("a cell")
	if !a.done() {
		return
	}
	c := &cell{name: name}
	w.names[name] = c
	w.objects = append(w.objects, c)
	w.say("cell: %s", name)
}

func cmdJoin(w *world, a *args) {
	name := a.word("a fiber or a cell")
	if a.err != "" {
		return
	}
	target, r := a.joinable(name), a.by(fiber.OnQueue())
	p := w.actor(a)
	if p == nil {
		return
	}
	j, err := wait.JoinOn(target, w.s.Current())
	if err != nil {
		w.deny("join", err)
		return
	}
	if v, done, err := j.Try(); done {
		w.say("join: %s ended with %s", name, answer(v, err))
		return
	}
	end := func(t fiber.Ticket, r fiber.Result) string {
		if v, done, err := j.Try(); done && r.Code == fiber.OK {
			return "ok: " + name + " ended with " + answer(v, err)
		}
		return w.plain(t.ID, r)
	}
	park := func(t fiber.Ticket) error { return j.ParkJoin(t, 0) }
	w.suspend("join", p, r, park, end, target.Source())
}
