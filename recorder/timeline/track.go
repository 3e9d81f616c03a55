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

// of is the track of the fiber of an event, which begins with its first.
func (t *Writer) of(e *recorder.Event) *track {
	at := t.slot(e.ID)
	if at.number == 0 {
		t.lives++
		*at = track{number: t.lives, title: titleOf(e.ID, e.Name)}
		t.title("thread_name", fibers, at.number, at.title)
		t.begin("M", fibers, at.number)
		t.some("name", "thread_sort_index")
		t.field("args")
		t.open()
		t.number("sort_index", at.number)
		t.close()
		t.close()
	}
	return at
}

func (t *Writer) slot(id fiber.ID) *track {
	slot := int(id.Index())
	for slot >= len(t.tracks) {
		t.tracks = append(t.tracks, track{})
	}
	return &t.tracks[slot]
}

func titleOf(id fiber.ID, name string) string {
	if name == "" {
		return id.String()
	}
	return name + " " + id.String()
}

// slice writes a time slice, on the track of its fiber and on that of the worker.
func (t *Writer) slice(at *track, e *recorder.Event) {
	began := at.where
	if now := whereOf(e); now != (where{}) {
		at.where = now
	}
	t.interval(fibers, at.number, e.Began, e.At, cmp.Or(at.where.function, at.where.place, "runs"), "slice")
	t.field("args")
	t.open()
	t.some("end", endOf(e))
	t.some("place", at.where.place)
	t.some("from", began.place)
	t.some("on", e.Object)
	t.close()
	t.close()
	t.interval(owner, worker, e.Began, e.At, at.title, "slice")
	t.field("args")
	t.open()
	t.some("function", at.where.function)
	t.some("place", at.where.place)
	t.close()
	t.close()
	t.confirm(at, e)
	t.arrow(at, e.Began)
	t.states.slice(t, e.Began, e.At, e.To)
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
func (t *Writer) interval(process, thread uint64, from, to time.Duration, name, category string) {
	t.begin("X", process, thread)
	t.instant("ts", from)
	t.instant("dur", to-from)
	t.some("name", name)
	t.some("cat", category)
}

// wait writes a wait that has ended by an event, or with nil has not.
func (t *Writer) wait(at *track, until time.Duration, by *recorder.Event) {
	name := "blocked"
	switch {
	case at.waits.on != "":
		name = "waits on " + at.waits.on
	case at.waits.kind != "":
		name = "waits for " + at.waits.kind
	}
	t.interval(fibers, at.number, at.since, max(until, at.since), name, "wait")
	t.field("args")
	t.open()
	t.some("reason", at.waits.kind)
	t.some("object", at.waits.on)
	t.some("function", at.waits.where.function)
	t.some("place", at.waits.where.place)
	switch {
	case by == nil:
		t.some("end", "open")
	case by.By != 0:
		t.some("by", titleOf(by.By, by.ByName))
		fallthrough
	default:
		t.some("end", by.Op.String())
	}
	t.close()
	t.close()
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
func (t *Writer) mark(at *track, e *recorder.Event) {
	t.begin("i", fibers, at.number)
	t.instant("ts", e.At)
	t.some("s", "t")
	if e.Op.String() == "Move" {
		t.some("name", "moves away")
	} else {
		t.some("name", "killed")
	}
	t.close()
}
