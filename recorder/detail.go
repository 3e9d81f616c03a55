package recorder

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// After the first places, asking for more may take one part in placeShare of the time, unless Config.Each
// is set.
const (
	freePlaces = 1_000
	placeShare = 50
)

// detail looks at the fibers of the entries that have just been added, for what the entries do not tell.
type detail struct {
	seen  []uint64 // by slot: the call in which it was met last
	call  uint64
	spent int64 // nanoseconds that places, with functions, have cost
	one   int64 // what one costs, as measured from time to time
	asked int
}

// addDetails notes what the fibers of the entries wait on and where, and the names of new ones. A fiber is
// looked at for its last entry only: what it did before is over.
func (r *Recorder) addDetails(entries []scheduler.Entry, first uint32) {
	d := &r.detail
	d.call++
	from := len(r.last.details)
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		if e.Fiber().IsTrampoline() || e.To() == fiber.Dead || !d.isFirst(e.Fiber().Index()) {
			continue
		}
		if more, any := r.look(e); any {
			more.index = first + uint32(i)
			r.last.details = append(r.last.details, more)
		}
	}
	slices.Reverse(r.last.details[from:])
}

// isFirst tells whether the slot is met for the first time in this call.
func (d *detail) isFirst(slot uint32) bool {
	for int(slot) >= len(d.seen) {
		d.seen = append(d.seen, make([]uint64, max(64, len(d.seen)))...)
	}
	met := d.seen[slot] == d.call
	d.seen[slot] = d.call
	return !met
}

// look is what can be known of the fiber of an entry.
func (r *Recorder) look(e scheduler.Entry) (m more, any bool) {
	id, err := r.of.Lookup(e.Fiber())
	if err != nil {
		return more{}, false
	}
	switch {
	case e.From() == fiber.Dead:
		m.name = r.names.number(r.of.Name(id))
		if r.cfg.Function != nil {
			r.locate(id, &m, r.function)
		}
	case e.To() == fiber.Blocked:
		if w, ok := r.of.Wait(id); ok {
			m.kind = w.Kind
			if w.Source != nil {
				m.object = r.objects.number(w.Source)
			}
		}
		fallthrough
	case e.From() == fiber.Running:
		r.locate(id, &m, r.placeAndFunction)
	}
	return m, m != more{}
}

// locate asks the guest where the fiber is, while that does not cost too much.
func (r *Recorder) locate(id fiber.ID, m *more, ask func(fiber.ID, *more)) {
	d := &r.detail
	if r.cfg.Each == nil && d.asked > freePlaces && d.spent > (r.clock.now-r.sums.began)/placeShare {
		return
	}
	if d.asked++; d.asked%16 != 1 {
		d.spent += d.one
		ask(id, m)
		return
	}
	began := r.cfg.Clock()
	ask(id, m)
	d.one = r.cfg.Clock() - began
	d.spent += d.one
}

func (r *Recorder) placeAndFunction(id fiber.ID, m *more) {
	m.place = r.places.number(r.of.Site(id))
	if r.cfg.Function != nil {
		r.function(id, m)
	}
}

func (r *Recorder) function(id fiber.ID, m *more) {
	if root, regular := id.Regular(); regular {
		m.function = r.guests.number(r.cfg.Function(root))
	}
}
