package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// alarmTable says which sources are alarms that are set. A set alarm holds a slot of the
// source table as a waiting fiber does. Its entry in the wheel names that slot and the
// setting, because both may have been reused when the entry comes due.
type alarmTable struct {
	setting []uint64 // by source slot-1: the current setting; 0 if it is no alarm or not set
	last    uint64   // settings are numbered and never repeat
	count   int      // alarms that are set
	cursor  int      // where awaited found the last one
}

func (t *alarmTable) isOn(entry fiber.Ticket) bool {
	at := uint64(entry.ID) - 1
	return at < uint64(len(t.setting)) && t.setting[at] == entry.Seq
}

// set numbers a new setting of the alarm in the slot.
func (t *alarmTable) set(slot uint32) (entry fiber.Ticket) {
	for uint32(len(t.setting)) < slot {
		t.setting = append(t.setting, 0)
	}
	t.last++
	t.count++
	t.setting[slot-1] = t.last
	return fiber.Ticket{ID: fiber.ID(slot), Seq: t.last}
}

// isSet tells whether the source in the slot is an alarm that is set.
func (t *alarmTable) isSet(slot uint32) bool {
	return slot > 0 && slot <= uint32(len(t.setting)) && t.setting[slot-1] != 0
}

// unset tells whether the alarm in the slot was set.
func (t *alarmTable) unset(slot uint32) bool {
	if !t.isSet(slot) {
		return false
	}
	t.setting[slot-1] = 0
	t.count--
	return true
}

// awaited tells whether any fiber waits on an alarm that is set. The search begins where the
// last one ended, because the same alarms tend to be waited on.
func (t *alarmTable) awaited(sources *sourceTable) bool {
	if t.count == 0 {
		return false
	}
	for range t.setting {
		if t.cursor >= len(t.setting) {
			t.cursor = 0
		}
		if t.setting[t.cursor] != 0 && sources.entries[t.cursor].source.(fiber.Alarm).Waiting() > 0 {
			return true
		}
		t.cursor++
	}
	return false
}

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
