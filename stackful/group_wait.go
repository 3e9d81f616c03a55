package stackful

import (
	"math"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Wait waits until the group has reached the goal. The task that it returns is
//
//   - with wait.Any, the first member that succeeded;
//   - otherwise, and with wait.Any if none succeeded, a member that failed, and the error is its
//     *TaskError. With wait.FirstError it is the one that failed first, else the first in the
//     order of adding;
//   - nil if there is no such member.
//
// Other errors: wait.ErrSelfJoin if the caller is a member, *Interrupt, wait.ErrForeign.
func (g *Group) Wait(f *Fiber, goal wait.Goal) (*Task, error) {
	return g.WaitUntil(f, goal, fiber.Never)
}

// WaitUntil is Wait with a deadline, and ErrTimeout.
func (g *Group) WaitUntil(f *Fiber, goal wait.Goal, deadline fiber.Time) (*Task, error) {
	w, err := g.begin(f, goal)
	if err != nil {
		return nil, err
	}
	defer g.keep(w)
	for {
		if i, done := w.Try(); done && w.Len() == len(g.tasks) {
			return g.decided(goal, i)
		} else if !done {
			if err := g.await(f, goal, w, deadline); err != nil {
				return nil, err
			}
		}
		if err := g.join(f, w); err != nil {
			return nil, err
		}
	}
}

// TryWait is Wait if the goal has been reached. Errors as Wait's.
func (g *Group) TryWait(f *Fiber, goal wait.Goal) (t *Task, done bool, err error) {
	w, err := g.begin(f, goal)
	if err != nil {
		return nil, false, err
	}
	defer g.keep(w)
	i, done := w.Try()
	if !done {
		return nil, false, nil
	}
	t, err = g.decided(goal, i)
	return t, true, err
}

// begin makes the machine of one wait.
func (g *Group) begin(f *Fiber, goal wait.Goal) (*wait.Group, error) {
	if err := f.begin("Wait"); err != nil {
		return nil, err
	}
	f.touchAll()
	if err := g.admit(f, "Wait"); err != nil {
		return nil, err
	}
	w := g.spare
	if g.spare = nil; w == nil {
		w = new(wait.Group)
	}
	w.Reset(goal)
	return w, g.join(f, w)
}

func (g *Group) keep(w *wait.Group) {
	w.Reset(wait.All) // it remembers no fiber
	g.spare = w
}

// join adds the members to the wait that were added to the group since its last call.
func (g *Group) join(f *Fiber, w *wait.Group) error {
	for _, t := range g.tasks[w.Len():] {
		j, err := wait.JoinOn(t.cell, f.ID())
		if err != nil {
			return f.at(err)
		}
		w.Add(j)
	}
	return nil
}

// await waits for the next end that may decide the wait, or for a new member. With wait.All a new
// member need not be noticed at once: join adds it when the known ones have ended.
func (g *Group) await(f *Fiber, goal wait.Goal, w *wait.Group, deadline fiber.Time) error {
	const newMember = math.MaxInt32 // the index of no member
	var buf [selectSources]fiber.Source
	sources := w.Sources(buf[:0])
	var a *arrival
	if goal != wait.All {
		if g.arrival == nil {
			g.arrival = &arrival{group: g}
		}
		a = g.arrival
		sources = append(sources, a.Source())
	}
	t, res, err := f.Await(fiber.OnQueue().WithDeadline(deadline), func(t fiber.Ticket) error {
		err := w.Park(t)
		if err == nil && a != nil {
			err = a.Park(t, newMember)
		}
		return err
	}, sources...)
	if err == nil {
		w.Collect(t, res)
	}
	return err
}

// decided is the result of a wait whose goal was reached, by the i-th member or by all.
func (g *Group) decided(goal wait.Goal, i int) (*Task, error) {
	if i < 0 {
		i = g.firstFailed()
	}
	if i < 0 {
		return nil, nil
	}
	t := g.tasks[i]
	if _, err, _ := t.cell.Result(); err != nil {
		return t, t.failure(err)
	}
	return t, nil
}

func (g *Group) firstFailed() int {
	for i, t := range g.tasks {
		if t.cell.Failed() {
			return i
		}
	}
	return -1
}
