package stackful

import (
	"fmt"
	"strconv"

	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

// Group is fibers that are waited for as one: all of them, the first that fails, or the
// first that ends well (wait.Goal). Members may be added at any time, also by a member
// and while somebody waits, and any fiber but a member may wait, as often as it likes.
// What goes on when a wait is over goes on, unless Cancel ends it. The zero Group has no
// members; a Group must not be copied.
//
// It remembers every member, and a wait for the first that fails or ends well costs
// with each end as much as members go on: it is for some fibers, not for a server's.
type Group struct {
	name    string
	tasks   []*Task
	arrival *arrival    // what those wait on who want to know of new members
	spare   *wait.Group // of the last wait
}

// arrival ends when a group gets a new member.
type arrival struct {
	ioqueue.Cell
	group *Group
}

// Describe is for reports: `a new member of group "mirrors" (3 so far)`.
func (a *arrival) Describe() string {
	title := "group"
	if a.group.name != "" {
		title += " " + strconv.Quote(a.group.name)
	}
	return fmt.Sprintf("a new member of %s (%d so far)", title, len(a.group.tasks))
}

// Name is what SetName gave, or "".
func (g *Group) Name() string { return g.name }

// SetName gives the group the name that reports show.
func (g *Group) SetName(name string) { g.name = name }

// Go spawns a member. Errors as Runtime.Go's.
func (g *Group) Go(f *Fiber, name string, fn Func) (*Task, error) {
	f.own("Go")
	t, err := f.rt.Go(name, fn)
	if err != nil {
		return nil, err
	}
	return t, g.Add(f, t)
}

// Add makes a fiber a member that was spawned before, even if it has ended. The error
// is wait.ErrForeign.
func (g *Group) Add(f *Fiber, t *Task) error {
	f.own("Add")
	if err := (joined{t}).Admit(f.rt.sched.Number()); err != nil {
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

// Tasks are the members, in the order of adding. The slice is the group's own.
func (g *Group) Tasks() []*Task { return g.tasks }

// Cancel cancels every member that goes on, in the order of adding, for the cause; see
// scheduler.Cancel. It does not wait until they have ended: Wait for wait.All does.
func (g *Group) Cancel(f *Fiber, cause error) {
	f.own("Cancel")
	for _, t := range g.tasks {
		if !t.cell.Completed() {
			_ = f.rt.sched.Cancel(t.id, cause) // it is alive
		}
	}
}
