package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// alarmTable says which sources are alarms that are set. A set alarm has a slot in the
// source table, as if somebody waited on it: its entry in the wheel names that slot,
// and the setting, because both may be another's by the time the entry comes due.
type alarmTable struct {
	setting []uint64 // by source slot-1: the current setting; 0 if it is no alarm or not set
	last    uint64   // the settings are numbered and never repeat
	on      int      // alarms that are set
	seen    int      // where awaited found the last one
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
	t.on++
	t.setting[slot-1] = t.last
	return fiber.Ticket{ID: fiber.ID(slot), Seq: t.last}
}

// isSet tells whether the slot is an alarm's that is set.
func (t *alarmTable) isSet(slot uint32) bool {
	return slot > 0 && slot <= uint32(len(t.setting)) && t.setting[slot-1] != 0
}

// unset tells whether the alarm in the slot was set.
func (t *alarmTable) unset(slot uint32) bool {
	if !t.isSet(slot) {
		return false
	}
	t.setting[slot-1] = 0
	t.on--
	return true
}

// SetAlarm has the alarm told when its Deadline, which it gives now, has passed; an
// earlier setting is withdrawn. The owner calls it after anything that has changed the
// deadline, and before the next operation. Equal deadlines come due in the order in
// which they were set, those of waits among them.
func (f Attachments) SetAlarm(a fiber.Alarm) {
	c := f.core
	c.enter(OpNote)
	anchor := c.mustKnow(OpNote, a)
	if !c.alarms.isSet(anchor.Slot()) && a.Deadline() != fiber.Never {
		c.mustHaveTimerRoom(OpNote)
	}
	if slot := anchor.Slot(); c.alarms.unset(slot) {
		c.staleTimer()
		c.setAlarm(a)
		c.sources.drop(slot)
	} else {
		c.setAlarm(a)
	}
	c.leave()
}

func (c *Core) setAlarm(a fiber.Alarm) {
	deadline := a.Deadline()
	if deadline == fiber.Never {
		return
	}
	entry := c.alarms.set(c.sources.hold(a))
	c.addTimer(wheel.Entry{Deadline: deadline, Ticket: entry, Kind: tellsAlarm})
}

// tellAlarm tells the alarm that it is due, and sets it again if it says so.
func (c *Core) tellAlarm(entry fiber.Ticket) {
	slot := uint32(entry.ID)
	a := c.sources.at(slot).source.(fiber.Alarm)
	c.alarms.unset(slot)
	c.wakeups = a.Due(c.now, c.wakeups)
	c.setAlarm(a)
	c.sources.drop(slot)
}

// alarmAwaited tells whether any fiber waits on an alarm that is set. The search begins
// where the last one ended: the same alarms tend to be waited on.
func (c *Core) alarmAwaited() bool {
	t := &c.alarms
	if t.on == 0 {
		return false
	}
	for range t.setting {
		if t.seen >= len(t.setting) {
			t.seen = 0
		}
		if t.setting[t.seen] != 0 && c.sources.entries[t.seen].source.(fiber.Alarm).Waiting() > 0 {
			return true
		}
		t.seen++
	}
	return false
}
