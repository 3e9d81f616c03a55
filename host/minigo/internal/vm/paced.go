package vm

import (
	"iter"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// operation is an instruction that takes longer than a time slice: it runs on a coroutine of its own,
// which gives way when the budget is used up. The fiber is ready meanwhile, and each of its slices
// continues the operation.
type operation struct {
	of    fiber.ID
	next  func() (struct{}, bool)
	stop  func()
	after func() step // what is left to do when it has ended
	holds int64       // the memory that it has allocated
}

// abandoned unwinds the coroutine of an operation whose fiber has been killed.
type abandoned struct{}

// operations are those that are suspended. They end with the run.
type operations struct {
	all     map[*operation]struct{}
	sweep   int        // so many are too many, if some are of fibers that have been killed
	running *operation // the one that runs
}

// minSweep is how many suspended operations are not worth a look at their fibers.
const minSweep = 64

// paced runs work on about so many bytes: at once if the slice has room for it, else as an operation.
// What work returns runs after it, in a slice of the fiber. Both may write to the fiber's registers.
// alloc is how much memory the work allocates; if there is no room for it, the instruction begins anew
// after a measurement.
func (m *Machine) paced(st *State, alloc, bytes int, work func(p *value.Pace) (after func() step)) step {
	switch {
	case alloc > 0 && !m.fits(alloc):
		return m.lack(st, alloc)
	case value.Steps(bytes) > m.budget+m.rest:
		return m.suspendable(st, alloc, work)
	}
	after := work(m.inline)
	m.inline.Flush()
	return after()
}

// suspendable begins an operation.
func (m *Machine) suspendable(st *State, alloc int, work func(p *value.Pace) (after func() step)) step {
	op := &operation{of: m.sched.Current(), holds: int64(alloc)}
	op.next, op.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer recoverAbandoned()
		p := value.NewPace(m.yields(yield))
		op.after = work(p)
		p.Flush()
	})
	m.ops.add(op, m)
	st.extra().op = op
	return m.resumeOperation(st)
}

// yields is the poll of a coroutine that counts its work in steps and gives way when the budget is used
// up.
func (m *Machine) yields(yield func(struct{}) bool) func(steps int) {
	return func(steps int) {
		for m.spend(steps); m.budget < 0; {
			if !yield(struct{}{}) {
				panic(abandoned{})
			}
		}
	}
}

// recoverAbandoned ends a coroutine that was unwound.
func recoverAbandoned() {
	if r := recover(); r != nil && r != (abandoned{}) {
		panic(r)
	}
}

// resumeOperation continues an operation until its end, or that of the slice.
func (m *Machine) resumeOperation(st *State) step {
	op := st.more.op
	m.ops.running = op
	_, more := op.next()
	if m.ops.running = nil; more {
		st.waits = working
		m.out = fiber.TimesliceExpired
		return leaveSlice
	}
	st.waits, st.more.op = none, nil
	delete(m.ops.all, op)
	return op.after()
}

// add keeps an operation until its end, and lets go those whose fibers have been killed.
func (o *operations) add(op *operation, m *Machine) {
	if len(o.all) >= max(o.sweep, minSweep) {
		for old := range o.all {
			if id, ok := old.of.Regular(); ok {
				if _, alive := m.sched.Fiber(id); !alive {
					old.stop()
					delete(o.all, old)
				}
			}
		}
		o.sweep = 2 * len(o.all)
	}
	if o.all == nil {
		o.all = map[*operation]struct{}{}
	}
	o.all[op] = struct{}{}
}

// stop ends the operations that are left.
func (o *operations) stop() {
	for op := range o.all {
		op.stop()
	}
	o.all = nil
}

// compared ends a comparison of two values; one that takes long begins anew as an operation.
func (m *Machine) compared(st *State, in *code.Instr, steps int, eq bool, err error, n []uint64, r []any) step {
	if err == value.ErrLong {
		return m.suspendable(st, 0, func(p *value.Pace) func() step {
			eq, err := m.compareSlowly(&value.Walk{Pace: p}, &st.top().fn.Aux[in.D], in, n, r)
			return func() step { return m.compared(st, in, 0, eq, err, n, r) }
		})
	}
	m.spend(steps)
	if err != nil {
		return m.incomparable(st, err)
	}
	n[in.A] = word(eq)
	return next
}

func (m *Machine) compareSlowly(w *value.Walk, x *code.Aux, in *code.Instr, n []uint64, r []any) (bool, error) {
	if in.Op == code.EqT {
		return m.types.Equal(w, x.T, n[x.I[0]:], r[x.I[1]:], n[x.I[2]:], r[x.I[3]:])
	}
	return m.types.EqualInterfaces(w, m.types.Interface(n[in.B:], r[x.I[0]:]), m.types.Interface(n[in.C:], r[x.I[1]:]))
}
