package scheduler

import "github.com/selvage-dev/selvage/internal/rule"

// checkMoved: a fiber that has moved out does not live here, and its end is still to
// come (I12). Its generation is spent, so its ID finds no fiber even if its slot is in use
// again. The map's order decides nothing but which of several violations is named.
func (v *verifier) checkMoved() {
	for id, kept := range v.core.departed {
		if v.core.slots.find(id) != nil || kept.cell != nil && kept.cell.Completed() {
			v.broken(rule.I12, "%v has moved out, and lives here or has ended", id)
		}
	}
}
