package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// checkAlarms: an alarm that is set has a source slot and an entry in the wheel (I10). The
// entry itself is not searched: it counts as one live deadline here, and checkWaitCounts
// compares the sum with the counter that grows and shrinks with the live entries. A setting is
// never newer than the last number given out, so its entry cannot be mistaken for a later one.
// A set alarm holds one reference to its slot, as a waiting fiber does.
func (v *verifier) checkAlarms() {
	c := v.core
	on := 0
	for i, setting := range c.timers.alarms.setting {
		if setting == 0 {
			continue
		}
		on++
		if i >= len(v.sourceRefs) || c.reg.sources.entries[i].source == nil {
			v.broken(rule.I10, "source slot %d is free and an alarm that is set", i+1)
		}
		src := c.reg.sources.entries[i].source
		if _, ok := src.(fiber.Alarm); !ok || setting > c.timers.alarms.last {
			v.broken(rule.I10, "source slot %d, %s, is not an alarm in setting %d", i+1, nameOf(src), setting)
		}
		v.sourceRefs[i]++
		v.timed++
	}
	if on != c.timers.alarms.count {
		v.broken(rule.I10, "%d alarms are set, %d counted", on, c.timers.alarms.count)
	}
}
