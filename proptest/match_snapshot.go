package proptest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
	"github.com/selvage-dev/selvage/spec/graph"
)

// snapshots is the memory of what reports copy from the scheduler.
type snapshots struct {
	fibers     scheduler.Snapshot
	timers     []scheduler.TimerState
	operations []scheduler.OperationState
}

// matchSnapshot compares the copies for reports with the model: every fiber with its state and its wait, the
// deadlines and the operations, all of this moment.
func (r *Harness) matchSnapshot(m *spec.State) error {
	s := &r.shot
	s.fibers = r.Scheduler.Inspect().Snapshot(s.fibers)
	if n := r.Scheduler.Inspect().Transitions(); s.fibers.Transitions != n || s.fibers.Now != r.Scheduler.Now() {
		return errorf("a snapshot of transition %d at %v, not of %d", s.fibers.Transitions, s.fibers.Now, n)
	}
	at := 0
	for f := range r.bounds.Fibers {
		if m.Contexts[f].Status == spec.Dead {
			continue
		}
		// The snapshot has the scheduler's slots in order, which need not be those of the model.
		at += 1 + int(m.Fibers[f].Depth)
		if err := r.matchSnapshotOf(m, spec.Slot(f)); err != nil {
			return err
		}
	}
	if at != len(s.fibers.Fibers) {
		return errorf("a snapshot of %d fibers and calls, not %d", len(s.fibers.Fibers), at)
	}
	if err := r.matchTimers(m); err != nil {
		return err
	}
	return r.matchOperations(m)
}

// matchSnapshotOf compares a regular fiber and the native calls that it is in.
func (r *Harness) matchSnapshotOf(m *spec.State, f spec.Slot) error {
	rows := r.shot.fibers.Fibers
	at := slices.IndexFunc(rows, func(row scheduler.FiberState) bool { return row.ID == r.names.id[f] })
	chain := m.ChainOf(f)
	if at < 0 || len(rows) < at+1+len(chain) {
		return errorf("%v (%v) is not in the snapshot, with its calls %v", f, r.names.id[f], chain)
	}
	for i := range 1 + len(chain) {
		x := f
		if i > 0 {
			x = chain[i-1]
		}
		want := scheduler.FiberState{ID: r.names.id[x], State: stateOf(m.Contexts[x].Status), Deadline: fiber.Never,
			Calls: i < len(chain), Lent: m.Fibers[f].Lent && i == 0}
		if reason := r.reasonOf(m, x); m.Contexts[x].Status.Blocked() && !want.Calls {
			want.Deadline, want.Kind, want.External = reason.Deadline, reason.Kind, reason.External
		}
		if err := r.matchRow(rows[at+i], want); err != nil {
			return err
		}
		if err := r.matchRowObjects(m, x, rows[at+i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *Harness) matchRow(got, want scheduler.FiberState) error {
	if got.ID != want.ID || got.State != want.State || got.Kind != want.Kind || got.Deadline != want.Deadline ||
		got.External != want.External || got.Calls != want.Calls || got.Lent != want.Lent {
		return errorf("the snapshot has %+v, not %+v", got, want)
	}
	return nil
}

// matchRowObjects: a context that is blocked waits on the stalls that hold its ticket, and no other does.
func (r *Harness) matchRowObjects(m *spec.State, x spec.Slot, row scheduler.FiberState) error {
	want := 0
	if r.host.Objects && m.Contexts[x].Status.Blocked() && r.waitsOnObjects(m, x) {
		t := r.names.ticket[x][m.Contexts[x].Seq]
		for _, s := range r.stalls {
			want += graph.Count(s.Holds(t))
		}
	}
	if got := r.shot.fibers.On(row); len(got) != want || len(slices.Compact(slices.Sorted(slices.Values(got)))) != want {
		return errorf("in the snapshot %v waits on the objects %v, which should be %d", x, got, want)
	}
	return nil
}

// matchTimers compares the deadlines that are on, as far as they are those of fibers.
func (r *Harness) matchTimers(m *spec.State) error {
	var on int
	on, r.shot.timers = r.Scheduler.Inspect().Timers(spec.MaxDeadlines+1, r.shot.timers)
	var want []scheduler.TimerState
	for d, on := range m.Deadlines {
		if on.Holder != spec.NoSlot {
			want = append(want, scheduler.TimerState{Deadline: r.names.due[d], Kind: "wait", Fiber: r.names.id[on.Holder]})
		}
	}
	if m.Grace != spec.NoSlot {
		want = append(want, scheduler.TimerState{Deadline: r.names.grace, Kind: "grace", Fiber: r.names.id[m.Grace]})
	}
	slices.SortStableFunc(want, func(a, b scheduler.TimerState) int { return cmp.Compare(a.Deadline, b.Deadline) })
	if on != len(want) || !slices.Equal(r.shot.timers, want) {
		return errorf("%d timers %v, not %v", on, r.shot.timers, want)
	}
	return nil
}

// matchOperations compares the operations. A host that collects late has results left that the model does
// not know of any more.
func (r *Harness) matchOperations(m *spec.State) error {
	r.shot.operations = r.Scheduler.Inspect().Operations(r.shot.operations)
	left := 0
	for _, got := range r.shot.operations {
		k := slices.Index(r.names.token[:], got.Token)
		if k < 0 || m.Tokens[k].State == spec.Free {
			if left++; !r.host.Lazy || got.State != "complete" {
				return errorf("the operation %+v has ended", got)
			}
			continue
		}
		if want := r.operationOf(m, k); got != want {
			return errorf("the operation %+v is %+v", got, want)
		}
	}
	for k := range r.bounds.Tokens {
		left += graph.Count(m.Tokens[k].State != spec.Free)
	}
	if left != len(r.shot.operations) {
		return fmt.Errorf("%d operations, not %d", len(r.shot.operations), left)
	}
	return nil
}

func (r *Harness) operationOf(m *spec.State, k int) scheduler.OperationState {
	is := scheduler.OperationState{Token: r.names.token[k], State: "submitted"}
	switch {
	case m.Tokens[k].State == spec.Orphan:
		is.State = "abandoned"
		return is
	case m.Tokens[k].State == spec.Done:
		is.State = "complete"
	case m.Tokens[k].Waiter != spec.NoSlot:
		is.State = "awaited"
	}
	is.Owner = r.names.regular(m.Tokens[k].Owner)
	return is
}
