package scheduler

// checkMoved: a fiber that has moved out does not live here, and its end is still to
// come (I12).
func (v *verifier) checkMoved() {
	for id, kept := range v.core.absent {
		if v.core.slots.find(id) != nil || kept.cell != nil && kept.cell.Completed() {
			v.broken("I12", "%v has moved out, and lives here or has ended", id)
		}
	}
}
