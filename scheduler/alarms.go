package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// SetAlarm reads the alarm's Deadline, and Due is called at the first poll at which that has
// passed. An earlier setting has no effect any more; fiber.Never sets nothing. The owner calls
// SetAlarm after anything that changed the deadline, and before the next operation. Equal
// deadlines, those of waits among them, come due in the order in which they were set.
//
// A set alarm counts towards Config.MaxTimers. One more is a contract error (rule CALL-ORDER):
// ask TimerRoom first. So is an alarm of another scheduler (rule SAME-SCHEDULER). The cost is
// amortized O(1).
func (f Attachments) SetAlarm(a fiber.Alarm) {
	c := f.core
	c.enter(op.Note)
	anchor := c.mustKnow(op.Note, a)
	if !c.timers.alarms.isSet(anchor.Slot()) && a.Deadline() != fiber.Never {
		c.mustHaveTimerRoom(op.Note)
	}
	// The old setting gives up its reference to the source slot last: if that is the only one,
	// the slot would otherwise be freed and taken again.
	if slot := anchor.Slot(); c.timers.alarms.unset(slot) {
		c.timers.stale()
		f.setAlarm(a)
		f.dropSetting(slot)
	} else {
		f.setAlarm(a)
		c.groups.takeAlarm(anchor.Slot())
	}
	c.leave()
}

// dropSetting ends a setting that is over, and counts the alarm no more if it is not set again.
func (f Attachments) dropSetting(slot uint32) {
	c := f.core
	c.groups.giveAlarm(slot)
	c.reg.sources.drop(slot)
}

// setAlarm begins a setting, which holds a reference to the source slot until it is withdrawn or
// due. The wheel entry carries the slot and the number of the setting where the entry of a wait
// has its ticket: decision 0019.
func (f Attachments) setAlarm(a fiber.Alarm) {
	deadline := a.Deadline()
	if deadline == fiber.Never {
		return
	}
	c := f.core
	entry := c.timers.alarms.set(c.reg.sources.hold(a))
	c.timers.add(wheel.Entry{Deadline: deadline, Ticket: entry, Kind: firesAlarm})
}

// fireAlarm calls the alarm that is due, and sets it again if it has another deadline. The
// setting is over when Due is called, but its reference to the slot ends last, because the
// wake-ups that Due appends name the slot. The caller delivers them.
func (f Attachments) fireAlarm(entry fiber.Ticket) {
	c, slot := f.core, uint32(entry.ID)
	a := c.reg.sources.at(slot).source.(fiber.Alarm)
	c.timers.alarms.unset(slot)
	c.decided(nil)
	n := len(c.wakeups)
	c.wakeups = a.Due(c.now, c.wakeups)
	nameSource(c.wakeups[n:], slot)
	c.decided(a)
	f.setAlarm(a)
	f.dropSetting(slot)
}

// chooseDue has Config.Choose choose which of the timers that are due at the same instant as the first
// one fires. The others are put back.
func (f Attachments) chooseDue(first wheel.Entry) wheel.Entry {
	c := f.core
	due := append(c.chosen.due[:0], first)
	for e, ok := c.timers.wheel.PopDue(first.Deadline); ok; e, ok = c.timers.wheel.PopDue(first.Deadline) {
		if c.isTimerLive(e) {
			due = append(due, e)
		}
	}
	c.chosen.due = due
	chosen := int(c.Choices().Uint64N(uint64(len(due))))
	for i, e := range due {
		if i != chosen {
			c.timers.wheel.Add(e)
		}
	}
	return due[chosen]
}

// othersWait asks, after a timer has made a fiber ready, whether the others that are due fire only at the
// next poll, so that the fiber can run before.
func (f Attachments) othersWait() bool {
	c := f.core
	return c.run().len() > 0 && c.timers.next() <= c.now && c.Choices().Uint64N(2) == 1
}
