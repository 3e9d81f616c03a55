package scheduler

import "github.com/selvage-dev/selvage/internal/rule"

// checkMoved: a fiber that has moved out does not live here, and its end is still to
// come (I12).
func (v *verifier) checkMoved() {
	for id, kept := range v.core.departed {
		if v.core.slots.find(id) != nil || kept.cell != nil && kept.cell.Completed() {
			v.broken(rule.I12, "%v has moved out, and lives here or has ended", id)
		}
	}
}
