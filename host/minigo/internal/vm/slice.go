package vm

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
)

// drive runs the fibers as the scheduler's Run does. The machine has its own loop, because a
// fiber that waits for a channel hands over to the next one inside interpret: decisions 0058 and
// 0059.
func (m *Machine) drive(ctx context.Context) error {
	l := m.sched.Steps().Begin(ctx)
	defer l.Close()
	m.loop = l
	m.profiler.begin()
	defer m.profiler.end()
	if m.shown != nil {
		m.shown.Within(ctx)
		defer m.endShowing()
	}
	for {
		if m.sched.Inspect().Lingers() && ctx.Err() != nil {
			m.noteBlocked()
		}
		l.CheckStop()
		m.ready()
		m.passed(m.account.Passed()) // the time may be over
		if l.Stopping() {
			continue
		}
		m.profiler.sleep()
		over, err := l.Sleep()
		if m.profiler.wake(); over {
			return err
		}
	}
}

// ready runs slices until no fiber is ready, or one has ended the run.
func (m *Machine) ready() {
	for st := m.next(); st != nil; st = m.next() {
		for more := true; more; more = m.sched.Finish(fiber.Outcome{Kind: m.out}) {
			st = m.resume(st)
			if m.grants.each {
				m.settleSlice()
			}
			if st == nil {
				return
			}
			if m.out == fiber.Done && st.more != nil && st.more.invoked != nil {
				m.returned(st)
			}
		}
		if m.loop.Stopping() {
			return
		}
	}
}

// next is the next ready fiber: nil if no fiber is ready, or the run has ended.
func (m *Machine) next() *State {
	if f := m.sched.ScheduleNext(); f != nil {
		if m.shown != nil {
			m.showNext()
		}
		return &f.Data
	}
	return m.nextBatch()
}

// nextBatch polls, as every loop does at the end of a batch, until there is another batch. It
// returns the first fiber of it.
func (m *Machine) nextBatch() *State {
	if m.shown != nil {
		m.showEnd()
	}
	for !m.loop.Stopping() && m.sched.Poll() {
		m.loop.CheckStop()
		if f := m.sched.ScheduleNext(); f != nil {
			if m.shown != nil {
				m.showNext()
			}
			return &f.Data
		}
	}
	return nil
}

// resume runs a fiber for a slice, and others after it, as long as each hands over to the next.
// It returns the fiber whose slice has ended with Machine.out; nil if no fiber is current.
func (m *Machine) resume(st *State) *State {
	if m.beginSlice(st) == leaveSlice {
		return st
	}
	switch {
	case m.jit != nil:
		return m.runMixed(st)
	case m.profiler != nil:
		return m.runProfiled(st)
	}
	return m.interpret(st)
}

// beginSlice begins a slice by finishing the instruction that has waited.
func (m *Machine) beginSlice(st *State) step {
	if !m.grant() || st.waits != none || m.halted {
		return m.beginOtherwise(st)
	}
	return next
}

func (m *Machine) beginOtherwise(st *State) step {
	switch {
	case m.grants.each:
		if !m.grantSlice() {
			m.out = fiber.TimesliceExpired
			return leaveSlice
		}
	case m.counts != nil:
		if m.countSlice(); m.left+m.bias < 0 {
			m.unbiased(m.grantLast)
		}
	case m.left < 0:
		m.grantLast()
	}
	if m.halted && (m.mem.measure != nil && !m.continueMeasurement() || m.over != nil) {
		m.out = fiber.TimesliceExpired // it is about to be killed
		return leaveSlice
	}
	switch st.waits {
	case sent, rest:
		return m.finish(st)
	case working:
		return m.resumeOperation(st)
	case watching:
		st.waits = none
		return m.watched(st)
	case returning:
		m.out = fiber.Done
		return leaveSlice
	case describing:
		return m.describe(st)
	}
	return next
}

// turn begins the slice of the next fiber; nil if there is none.
func (m *Machine) turn() (*State, step) {
	st := m.next()
	if st == nil {
		return nil, leaveSlice
	}
	return st, m.beginSlice(st)
}
