package recorder

import (
	"iter"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Event is one change of a fiber's state. Instants count from the beginning of the recording.
type Event struct {
	Number   uint64 // of the transition, as Inspect.Transitions counts them
	ID       fiber.ID
	Name     string // "" if the fiber has none, or it is not known
	Op       scheduler.Op
	From, To fiber.State
	At       time.Duration
	// Began is when the slice began that this event ends; for other events it is At.
	Began time.Duration
	// By is the fiber that woke or spawned this one, with its name. 0 is none, or not known.
	By     fiber.ID
	ByName string
	// Kind is that of the wait that begins with the event; 0 if none does, or it is not known.
	Kind fiber.Kind
	// Object is what a blocked fiber waits on, its kind with a number; "" if it is not known.
	Object string
	// Place is where in its program the fiber was; "" if it is not known.
	Place string
	// Function is the innermost function of its program that the fiber was in there, or, of a fiber that begins, the one
	// that it begins with; "" if it is not known.
	Function string
}

// EndsSlice reports that the fiber ran before the event.
func (e *Event) EndsSlice() bool { return e.From == fiber.Running }

// Events yields what is kept, the oldest first. The scheduler's owner calls it, and does not use the scheduler
// meanwhile. An event is valid until the next one.
func (r *Recorder) Events() iter.Seq[*Event] {
	r.Flush()
	return func(yield func(*Event) bool) {
		d := decoder{r: r, lives: r.livesBefore()}
		for _, c := range append(r.full[:len(r.full):len(r.full)], r.last) {
			if !d.chunk(c, 0, c.start, yield) {
				return
			}
		}
	}
}

// livesBefore is, by slot, how many fibers had lived there before the first entry that is kept.
func (r *Recorder) livesBefore() []uint32 {
	var born []uint32
	room := func(slots uint32) {
		for int(slots) > len(born) {
			born = append(born, make([]uint32, max(64, len(born)))...)
		}
	}
	for _, c := range append(r.full[:len(r.full):len(r.full)], r.last) {
		for _, m := range c.marks {
			room(m.current)
		}
		for _, e := range c.entries {
			if e.Fiber().IsTrampoline() {
				continue
			}
			room(e.Fiber().Index() + 1)
			if e.From() == fiber.Dead {
				born[e.Fiber().Index()]++
			}
		}
	}
	if r.core == nil {
		return nil
	}
	for slot, n := range born {
		id, _ := r.of.Lookup(fiber.Raw(slot)) // of a dead fiber too
		born[slot] = max(id.Generation(), n) - n
	}
	return born
}

// tell calls Config.Each for the entries of a chunk that are not settled.
func (r *Recorder) tell(c *chunk) {
	if r.teller.r == nil {
		r.teller = decoder{r: r}
	}
	r.teller.chunk(c, c.settled, c.resume, func(e *Event) bool {
		r.cfg.Each(e)
		return true
	})
}
