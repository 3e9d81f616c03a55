package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// What an entry of the timer wheel does when it is due.
const (
	// The ticket is that of the wait.
	endsWait uint8 = iota
	// The ticket has the root's ID and no Seq: a grace period is not a wait.
	endsGrace
	// The ticket is a setting: the source slot and the number of the setting.
	firesAlarm
	// The ticket is a setting: the index of a Group and the number of the setting.
	endsGroup
	// The same, of a Group that its rate stops.
	resumesGroup
)

// timerSet holds the deadlines that are on. An entry whose wait has ended stays in the wheel,
// stale, until it is due or the wheel is compacted; live counts the others: the fibers that
// are timed, the grace periods that run, the alarms that are set, and the time limits of Groups that
// have fibers (I10). So to end a wait
// costs a decrement, not a search of the wheel.
type timerSet struct {
	wheel      *wheel.Wheel // nil until the first deadline
	live       int
	isLive     func(wheel.Entry) bool
	alarms     alarmTable
	prefetched word // sink for the loads of prefetchTimers
}

// add registers an entry, behind all others of the same deadline. Amortized O(1).
func (t *timerSet) add(e wheel.Entry) {
	if t.wheel == nil {
		t.wheel = new(wheel.Wheel)
	}
	t.wheel.Add(e)
	t.live++
}

// stale counts one live entry as stale, and compacts the wheel when most entries are. The
// caller has made the entry fail isLive before, because the compaction asks. Amortized O(1).
func (t *timerSet) stale() {
	t.live--
	t.wheel.NoteStale()
	if t.wheel.NeedsCompaction() {
		t.wheel.Compact(t.isLive)
	}
}

// next is the earliest deadline that is on; Never if none is.
func (t *timerSet) next() fiber.Time {
	if t.live > 0 {
		if until, ok := t.wheel.Next(t.isLive); ok {
			return until
		}
	}
	return fiber.Never
}

// alarmTable says which sources are alarms that are set. A set alarm holds a slot of the
// source table as a waiting fiber does. Its entry in the wheel names that slot and the
// setting, because both may have been reused when the entry comes due.
type alarmTable struct {
	setting []uint64 // by source slot-1: the current setting; 0 if it is no alarm or not set
	last    uint64   // settings are numbered and never repeat
	count   int      // alarms that are set
	cursor  int      // where awaited found the last one
}

// isOn tells whether the entry of the wheel is the current setting of its alarm. The slot may
// belong to another source by now, or to none; then the numbers differ.
func (t *alarmTable) isOn(entry fiber.Ticket) bool {
	at := uint64(entry.ID) - 1
	return at < uint64(len(t.setting)) && t.setting[at] == entry.Seq
}

// set numbers a new setting of the alarm in the slot, which is not set, and returns the
// ticket for its entry. Slots count from 1, so the ID is never 0.
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

// unset tells whether the alarm in the slot was set, and is not any more. Its entry in the
// wheel and its reference in the source table are the caller's to account for.
func (t *alarmTable) unset(slot uint32) bool {
	if !t.isSet(slot) {
		return false
	}
	t.setting[slot-1] = 0
	t.count--
	return true
}

// awaited tells whether any fiber waits on an alarm that is set: an alarm without waiters
// keeps no run alive (docs/decisions/0019-alarms-in-the-source-table.md). The search begins
// where the last one ended, because the same alarms tend to be waited on; the answer does not
// depend on where it begins. O(sources) at worst, and only for an idle scheduler.
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
