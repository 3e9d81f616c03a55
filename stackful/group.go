package stackful

import (
	"fmt"
	"strconv"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

// Group is a set of fibers that are waited for together: for all of them, for the first that
// fails, or for the first that succeeds (wait.Goal). Members may be added at any time, also by a
// member and while a fiber waits. Any fiber except a member may wait, any number of times. All
// belong to one Runtime. The end of a wait ends no member; Cancel does. The zero Group has no
// members; a Group must not be copied.
//
// It remembers every member. In a wait for the first failure or success, each end of a member
// costs time in proportion to the members that still run. So a Group is for a limited number of
// fibers, not for the connections of a server.
type Group struct {
	name    string
	rt      *Runtime // whose it is: the first that used it
	tasks   []*Task
	arrival *arrival    // ends when a member is added; made by the first wait for that
	spare   *wait.Group // of the last wait
}

// arrival ends when a group gets a new member.
type arrival struct {
	ioqueue.Cell
	group *Group
}

// Source is that of the cell, with a description of its own.
func (a *arrival) Source() fiber.Source { return (*arrivalSource)(a) }

type arrivalSource arrival

func (a *arrivalSource) Anchored() *fiber.Anchor { return a.Cell.Source().Anchored() }

func (a *arrivalSource) Holds(t fiber.Ticket) bool { return a.Cell.Source().Holds(t) }

func (a *arrivalSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	return a.Cell.Source().Withdraw(t, dst)
}

// Describe is for reports: `a new member of group "mirrors" (3 so far)`.
func (a *arrivalSource) Describe() string {
	return fmt.Sprintf("a new member of %s (%d so far)", a.group.label(), len(a.group.tasks))
}

// Holders appends no fiber: any fiber may add a member.
func (a *arrivalSource) Holders(dst []fiber.ID) []fiber.ID { return dst }

// Name is what SetName gave, or "".
func (g *Group) Name() string { return g.name }

// SetName gives the group the name that reports show.
func (g *Group) SetName(name string) { g.name = name }

// Go spawns a member. Errors as Runtime.Go's, and wait.ErrForeign.
func (g *Group) Go(f *Fiber, name string, fn Func) (*Task, error) {
	f.own("Go")
	f.touchAll()
	if err := g.admit(f, "Go"); err != nil {
		return nil, err
	}
	t, err := f.rt.Go(name, fn)
	if err != nil {
		return nil, err
	}
	return t, g.Add(f, t)
}

// Add makes a fiber that was spawned before a member, even if it has ended. The error is
// wait.ErrForeign.
func (g *Group) Add(f *Fiber, t *Task) error {
	f.own("Add")
	f.touchAll()
	if err := g.admit(f, "Add"); err != nil {
		return err
	}
	if err := f.admitTask("Add", t); err != nil {
		return err
	}
	g.tasks = append(g.tasks, t)
	a := g.arrival
	if a == nil {
		return nil
	}
	g.arrival = nil
	return f.wakeAll(a.Complete(nil, nil, f.rt.woken))
}

// Cancel cancels every member that has not ended, in the order of adding, with that cause; see
// scheduler.Cancel. It does not wait for their ends; Wait with wait.All does. The error is
// wait.ErrForeign. A killed fiber may still cancel.
func (g *Group) Cancel(f *Fiber, cause error) error {
	f.own("Cancel all")
	f.touchAll()
	if err := g.admit(f, "Cancel all"); err != nil {
		return err
	}
	for _, t := range g.tasks {
		if !t.cell.Completed() {
			_ = f.rt.sched.Cancel(t.id, cause) // it is alive
		}
	}
	return nil
}

// admit refuses a fiber of another runtime than the group's.
func (g *Group) admit(f *Fiber, call string) error {
	if g.rt == nil {
		g.rt = f.rt
	}
	if g.rt != f.rt {
		return f.refuse(call, g.label())
	}
	return nil
}

// label is "group" and the name.
func (g *Group) label() string {
	if g.name == "" {
		return "group"
	}
	return "group " + strconv.Quote(g.name)
}
