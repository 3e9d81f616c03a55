package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// SetAlarm calls the alarm's Due when its Deadline, read now, has passed; an earlier setting
// is withdrawn. The owner calls it after anything that changed the deadline, and before the
// next operation. Equal deadlines come due in the order in which they were set, those of
// waits among them.
func (f Attachments) SetAlarm(a fiber.Alarm) {
	c := f.core
	c.enter(op.Note)
	anchor := c.mustKnow(op.Note, a)
	if !c.timers.alarms.isSet(anchor.Slot()) && a.Deadline() != fiber.Never {
		c.mustHaveTimerRoom(op.Note)
	}
	if slot := anchor.Slot(); c.timers.alarms.unset(slot) {
		c.timers.stale()
		f.setAlarm(a)
		c.reg.sources.drop(slot)
	} else {
		f.setAlarm(a)
	}
	c.leave()
}

func (f Attachments) setAlarm(a fiber.Alarm) {
	deadline := a.Deadline()
	if deadline == fiber.Never {
		return
	}
	c := f.core
	entry := c.timers.alarms.set(c.reg.sources.hold(a))
	c.timers.add(wheel.Entry{Deadline: deadline, Ticket: entry, Kind: firesAlarm})
}

// fireAlarm calls the alarm that is due, and sets it again if it has another deadline.
func (f Attachments) fireAlarm(entry fiber.Ticket) {
	c, slot := f.core, uint32(entry.ID)
	a := c.reg.sources.at(slot).source.(fiber.Alarm)
	c.timers.alarms.unset(slot)
	c.wakeups = a.Due(c.now, c.wakeups)
	f.setAlarm(a)
	c.reg.sources.drop(slot)
}
