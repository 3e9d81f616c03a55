package main

import (
	"errors"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// task is a fiber of the program. The cell says how it has ended; its result is what its code has
// left on top of its stack.
type task struct {
	id   fiber.RegularID
	cell *ioqueue.Cell
	code *code
}

// start makes a fiber that executes a word. Its options say whether its native calls nest.
func (m *machine) start(w *word, main bool, data ...value) (t task, err error) {
	t.code, t.cell = m.call(w, data...), new(ioqueue.Cell)
	o := scheduler.Options{Name: w.name, Cell: t.cell, Main: main, Nests: m.nest}
	t.id, err = m.SpawnWith(t.code, o)
	return t, err // such as: too many fibers
}

func (c *code) spawn(x value, w *word) error {
	t, err := c.vm.start(w, false, x)
	if err != nil {
		return err
	}
	return c.push(t)
}

func (c *code) yield() error {
	c.out.Kind = fiber.TimesliceExpired
	return nil
}

// await ends the slice in the wait that is armed; then continues the word when the wait has ended.
func (c *code) await(then func() error) error {
	c.then, c.out.Kind = then, fiber.Block
	return nil
}

func (c *code) now() error { return c.push(int(c.vm.Now() / 1e6)) }

// maxSleep is a year, in milliseconds.
const maxSleep = 365 * 24 * 3600 * 1000

func (c *code) sleep(ms int) error {
	if ms < 0 || ms > maxSleep {
		return errors.New("a sleep takes between 0 ms and a year")
	}
	c.vm.Arm(fiber.Until(c.vm.Now().After(time.Duration(ms) * time.Millisecond)))
	return c.await(func() error { return nil })
}

var errCancelled = errors.New("cancelled by the program")

func (c *code) cancel(t task) error {
	_ = c.vm.Cancel(t.id.ID(), errCancelled) // it may have ended
	return nil
}

func (c *code) join(t task) error {
	j, err := wait.JoinOn(t.cell, c.vm.Current())
	if err != nil {
		return err // a fiber cannot join itself
	}
	_, ended, err := j.Try()
	if !ended {
		_ = j.ParkJoin(c.vm.ArmOn(t.cell.Source()), 0)
		return c.await(func() error { return c.join(t) })
	}
	if err != nil {
		return c.push(err.Error(), truth(false))
	}
	return c.push(t.code.top(), truth(true))
}
