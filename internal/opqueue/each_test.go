package opqueue

import "pgregory.net/rapid"

// checkAll compares what All yields, and what Stages counts, with the operations of the model.
func (d *machine) checkAll(t *rapid.T) {
	found, counts := map[Entry]bool{}, [4]int{}
	for e := range d.q.All() {
		found[e] = true
		counts[e.Stage]++
	}
	if s := d.q.Stages(); [...]int{s.Submitted, s.Awaited, s.Completed, s.Abandoned} != counts {
		t.Fatalf("%+v, and All yields %v", s, counts)
	}
	for _, o := range d.m.ops {
		e := Entry{Token: o.token, Owner: o.owner}
		switch {
		case o.in("over"):
			continue
		case o.in("awaited", "attached"):
			e.Stage = Awaited
		case o.in("done", "ready"):
			e.Stage = Completed
		case o.in("lost", "told"):
			e.Owner, e.Stage = 0, Abandoned
		}
		if !found[e] {
			t.Fatalf("%+v is missing in %v", e, found)
		}
		delete(found, e)
	}
	if len(found) > 0 {
		t.Fatalf("too many: %v", found)
	}
}
