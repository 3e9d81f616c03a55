package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/scheduler"
)

// blockedFiber is a goroutine that is blocked when the run ends with its context.
type blockedFiber struct {
	scheduler.BlockedFiber
	timed bool // a timer wakes it
}

// noteBlocked notes which goroutines are blocked, before they are killed because the context has ended.
func (m *Machine) noteBlocked() {
	if m.blocked != nil {
		return
	}
	m.blocked = []blockedFiber{}
	alarms := map[any]bool{}
	m.host.Alarms(func(ch any) { alarms[ch] = true })
	for _, f := range m.sched.Inspect().Report().Fibers {
		if id, ok := f.ID.Regular(); ok {
			slot, _ := m.sched.Fiber(id)
			timed := f.Reason.Kind != fiber.Queue || f.Reason.Deadline != fiber.Never || slot.Data.awaits(alarms)
			m.blocked = append(m.blocked, blockedFiber{f, timed})
		}
	}
}

// Stranded returns a *scheduler.LeakError of the goroutines that were blocked when the context ended, had
// not run lately and waited for no timer. It is nil if there are none, or if one that had not run lately
// waited for a timer.
func (m *Machine) Stranded(ran func(fiber.ID) bool) error {
	if m.over != nil {
		return m.over
	}
	left := &scheduler.Report{}
	for _, f := range m.blocked {
		switch {
		case ran(f.ID):
		case f.timed:
			return nil
		default:
			left.Fibers = append(left.Fibers, f.BlockedFiber)
		}
	}
	if len(left.Fibers) == 0 {
		return nil
	}
	return &scheduler.LeakError{Report: left}
}

// awaits reports whether the fiber receives from one of the channels.
func (st *State) awaits(channels map[any]bool) bool {
	fr := st.top()
	in := &fr.fn.Code[fr.pc-1]
	_, r := st.window()
	switch in.Op {
	case code.Recv:
		return channels[r[fr.fn.Aux[in.D].I[3]]]
	case code.Select:
		for _, s := range fr.fn.Aux[in.D].List {
			if s.Kind != caseSend && channels[r[s.J]] {
				return true
			}
		}
	}
	return false
}
