package recorder

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// decoder turns entries into events. The events of a slice are complete when it has ended: then it is known
// which fiber made them.
type decoder struct {
	r       *Recorder
	lives   []uint32 // by slot: how many fibers have lived there
	names   []uint32 // by slot
	pending []Event
}

// chunk yields the events of a chunk from an entry on; false if yield wants no more.
func (d *decoder) chunk(c *chunk, settled int, from since, yield func(*Event) bool) bool {
	details := c.details
	for s := range c.stretches(settled, &from) {
		each, at, _ := s.each()
		began := s.began
		for i, e := range s.entries {
			if e.Fiber().IsTrampoline() {
				continue
			}
			ev := d.event(e, c.first+uint64(s.first+i))
			ends := e.From() == fiber.Running
			if ev.Began = d.since(at); ends {
				ev.Began = d.since(began)
				at += each
				began = at
			}
			ev.At = d.since(at)
			for len(details) > 0 && int(details[0].index) < s.first+i {
				details = details[1:]
			}
			if len(details) > 0 && int(details[0].index) == s.first+i {
				d.describe(&ev, details[0])
			}
			ev.Name = d.name(ev.ID)
			switch {
			case ends:
				if !d.flush(ev.ID, yield) || !yield(&ev) {
					return false
				}
			case e.Detached() || s.isOutside(i):
				if !d.flush(0, yield) || !yield(&ev) {
					return false
				}
			default:
				d.pending = append(d.pending, ev)
			}
		}
		if !d.flush(d.running(s), yield) {
			return false
		}
	}
	return true
}

func (d *decoder) since(at int64) time.Duration { return time.Duration(at - d.r.sums.began) }

// event is an entry with the fiber that lived in its slot.
func (d *decoder) event(e scheduler.Entry, number uint64) Event {
	slot := e.Fiber().Index()
	for int(slot) >= len(d.lives) {
		d.lives = append(d.lives, 0)
	}
	for int(slot) >= len(d.names) {
		d.names = append(d.names, 0)
	}
	if e.From() == fiber.Dead {
		d.lives[slot]++
		d.names[slot] = 0
	}
	return Event{Number: number, ID: d.id(slot), Op: e.Op(), From: e.From(), To: e.To()}
}

func (d *decoder) id(slot uint32) fiber.ID { return fiber.NewRegularID(slot, d.lives[slot]).ID() }

// describe adds what is known besides.
func (d *decoder) describe(ev *Event, m more) {
	if m.name != 0 {
		d.names[ev.ID.Index()] = m.name
	}
	ev.Kind = m.kind
	ev.Object, ev.Place, ev.Function = d.r.objects.name(m.object), d.r.places.at(m.place), d.r.guests.at(m.function)
}

// name is what a fiber was called when it began, or if that is not known, what it is called now.
func (d *decoder) name(id fiber.ID) string {
	if known := d.names[id.Index()]; known != 0 || d.r.core == nil {
		return d.r.names.at(known)
	}
	return d.r.of.Name(id)
}

// running is the fiber that ran at the end of a stretch.
func (d *decoder) running(s *stretch) fiber.ID {
	if s.current == 0 || int(s.current) > len(d.lives) {
		return 0
	}
	return d.id(s.current - 1)
}

// flush yields the events that a fiber has made.
func (d *decoder) flush(by fiber.ID, yield func(*Event) bool) bool {
	name := ""
	if by != 0 && len(d.pending) > 0 {
		name = d.name(by)
	}
	for i := range d.pending {
		d.pending[i].By, d.pending[i].ByName = by, name
		if !yield(&d.pending[i]) {
			return false
		}
	}
	d.pending = d.pending[:0]
	return true
}
