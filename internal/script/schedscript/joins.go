package schedscript

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

// Holds tells whether the ticket waits for the cell.
func (c *cell) Holds(t fiber.Ticket) bool { return c.Cell.Source().Holds(t) }

func (w *world) cmdCell(name string) {
	c := &cell{name: name}
	w.named[name] = c
	w.objects = append(w.objects, c)
	w.answer("%s", name)
}

// joinable is the cell that completes at the end of what a name means.
func (a *args) joinable(name string) *ioqueue.Cell {
	switch v := a.w.named[name].(type) {
	case *cell:
		return &v.Cell
	case *member:
		if v.cell == nil {
			a.fail("%s cannot be joined; spawn it with: spawn %s joinable", name, name)
		}
		return v.cell
	}
	a.fail("%q is nothing to wait for; want a fiber spawned joinable, or a cell", name)
	return nil
}

// joining is what a join command waits for.
type joining struct {
	name   string
	target *ioqueue.Cell
}

func (a *args) joining() joining {
	name := a.word("a fiber or a cell")
	return joining{name, a.joinable(name)}
}

func (w *world) cmdJoin(to joining, r fiber.Reason) {
	p := w.waiter()
	if p == nil {
		return
	}
	j, err := wait.JoinOn(to.target, w.s.Current())
	if err != nil {
		w.deny(err)
		return
	}
	if v, done, err := j.Try(); done {
		w.answer("%s ended with %s", to.name, answer(v, err))
		return
	}
	end := func(t fiber.Ticket, r fiber.Result) string {
		if v, done, err := j.Try(); done && r.Code == fiber.OK {
			return "ok: " + to.name + " ended with " + answer(v, err)
		}
		return w.plain(t.ID, r)
	}
	w.suspend(p, r, func(t fiber.Ticket) error { return j.ParkJoin(t, 0) }, end, to.target.Source())
}
