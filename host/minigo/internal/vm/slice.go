package vm

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// drive runs the fibers as the scheduler's Run does. The loop is the machine's own because a
// fiber that waits for a channel leaves the processor where it executes, and the next one goes
// on there: decision 0058.
func (m *Machine) drive(ctx context.Context) error {
	l := m.sched.Begin(ctx)
	defer l.End()
	for {
		l.Heed()
		m.batch(l)
		if l.Ended() || m.sched.Poll() {
			continue
		}
		if over, err := l.Rest(); over {
			return err
		}
	}
}

// batch runs slices until the batch is used up, or one has ended the run.
func (m *Machine) batch(l *scheduler.Loop) {
	for f := m.sched.ScheduleNext(); f != nil; f = m.sched.ScheduleNext() {
		for st, more := &f.Data, true; more; more = m.sched.Finish(fiber.Outcome{Kind: m.out}) {
			if st = m.resume(st); st == nil {
				return
			}
		}
		if l.Ended() {
			return
		}
	}
}

// resume runs a fiber for a slice, and others after it, as far as they give way to each other.
// It returns the one whose slice has ended with Machine.out; nil if nobody is current.
func (m *Machine) resume(st *State) *State {
	if m.beginSlice(st) == leaveSlice {
		return st
	}
	if m.jit != nil {
		return m.runMixed(st)
	}
	return m.interpret(st)
}

// beginSlice begins a slice, with the second half of the instruction that has waited.
func (m *Machine) beginSlice(st *State) step {
	m.budget, m.rest = m.stretch, m.beyond
	if st.waits || m.over != nil {
		return m.beginOtherwise(st)
	}
	return next
}

func (m *Machine) beginOtherwise(st *State) step {
	if m.over != nil {
		m.out = fiber.TimesliceExpired // it is about to be killed
		return leaveSlice
	}
	st.waits = false
	return m.finish(st)
}

// turn begins the slice of the next fiber of the batch: nil if there is none.
func (m *Machine) turn() (*State, step) {
	f := m.sched.ScheduleNext()
	if f == nil {
		return nil, leaveSlice
	}
	return &f.Data, m.beginSlice(&f.Data)
}

// cellsPerTick is how many words, references or bytes take about as long as a call.
const cellsPerTick = 256

// charge takes from the budget what an instruction does that works on much memory, so that a
// slice takes about as long whatever is in it. The slice ends at the next call or jump back.
func (m *Machine) charge(cells int) {
	if cells < cellsPerTick {
		return
	}
	left := max(0, m.budget+m.rest-cells/cellsPerTick)
	m.budget = min(m.budget, left)
	m.rest = left - m.budget
}
