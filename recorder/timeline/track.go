package timeline

import (
	"cmp"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
)

// track is that of the fiber that lives in a slot.
type track struct {
	number  uint64 // 0 is none
	title   string
	since   time.Duration // in its state
	where   where         // the fiber was at the end of its last slice
	blocked bool
	waits   waits
	origin  origin
}

// where is a place in a program, with the innermost function there; "" is not known.
type where struct{ function, place string }

// waits is what a blocked fiber waits for.
type waits struct {
	on, kind string
	where    where
}

func whereOf(e *recorder.Event) where { return where{e.Function, e.Place} }

// track is that of the fiber of an event, which begins with its first.
func (p *Part) track(e *recorder.Event) *track {
	at := p.slot(e.ID)
	if at.number == 0 {
		p.lives++
		*at = track{number: p.lives, title: titleOf(e.ID, e.Name)}
		p.title("thread_name", fibers, at.number, at.title)
		p.begin("M", fibers, at.number)
		p.some("name", "thread_sort_index")
		p.field("args")
		p.open()
		p.number("sort_index", at.number)
		p.close()
		p.close()
	}
	return at
}

func (p *Part) slot(id fiber.ID) *track {
	slot := int(id.Index())
	for slot >= len(p.tracks) {
		p.tracks = append(p.tracks, track{})
	}
	return &p.tracks[slot]
}

func titleOf(id fiber.ID, name string) string {
	if name == "" {
		return id.String()
	}
	return name + " " + id.String()
}

// slice writes a time slice, on the track of its fiber and on that of the worker.
func (p *Part) slice(at *track, e *recorder.Event) {
	began := at.where
	if now := whereOf(e); now != (where{}) {
		at.where = now
	}
	p.interval(fibers, at.number, e.Began, e.At, cmp.Or(at.where.function, at.where.place, "runs"), "slice")
	p.field("args")
	p.open()
	p.some("end", endOf(e))
	p.some("place", at.where.place)
	p.some("from", began.place)
	p.some("on", e.Object)
	p.close()
	p.close()
	p.interval(owner, worker, e.Began, e.At, at.title, "slice")
	p.field("args")
	p.open()
	p.some("function", at.where.function)
	p.some("place", at.where.place)
	p.close()
	p.close()
	p.confirm(at, e)
	p.arrow(at, e.Began)
	p.states.slice(p, e.Began, e.At, e.To)
}

// endOf is how a slice has ended.
func endOf(e *recorder.Event) string {
	switch e.To {
	case fiber.Blocked:
		return "blocks"
	case fiber.Dead:
		return "ends"
	}
	return "yields"
}

// interval begins an event with a duration.
func (p *Part) interval(process, thread uint64, from, to time.Duration, name, category string) {
	p.begin("X", process, thread)
	p.at(from)
	p.instant("dur", to-from)
	p.some("name", name)
	p.some("cat", category)
}

// wait writes a wait that has ended by an event, or with nil has not.
func (p *Part) wait(at *track, until time.Duration, by *recorder.Event) {
	name := "blocked"
	switch {
	case at.waits.on != "":
		name = "waits on " + at.waits.on
	case at.waits.kind != "":
		name = "waits for " + at.waits.kind
	}
	p.interval(fibers, at.number, at.since, max(until, at.since), name, "wait")
	p.field("args")
	p.open()
	p.some("reason", at.waits.kind)
	p.some("object", at.waits.on)
	p.some("function", at.waits.where.function)
	p.some("place", at.waits.where.place)
	switch {
	case by == nil:
		p.some("end", "open")
	case by.By != 0:
		p.some("by", titleOf(by.By, by.ByName))
		fallthrough
	default:
		p.some("end", by.Op.String())
	}
	p.close()
	p.close()
	at.blocked, at.waits = false, waits{}
}

// kindOf is the reason of the wait that an event begins.
func kindOf(e *recorder.Event) string {
	if e.Kind == 0 {
		return ""
	}
	return e.Kind.String()
}

// mark writes that a fiber has ended outside of a slice.
func (p *Part) mark(at *track, e *recorder.Event) {
	p.begin("i", fibers, at.number)
	p.at(e.At)
	p.some("s", "t")
	if e.Op.String() == "Move" {
		p.some("name", "moves away")
	} else {
		p.some("name", "killed")
	}
	p.close()
}
