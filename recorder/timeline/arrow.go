package timeline

import (
	"time"

	"github.com/selvage-dev/selvage/recorder"
)

// origin is where an arrow to the next slice of a fiber begins.
type origin struct {
	track uint64 // of the fiber that woke or spawned it; 0 is none
	at    time.Duration
	how   string
	sure  bool // the slice of that fiber is in the trace
}

// arises notes which fiber an event comes from.
func (t *Writer) arises(at *track, e *recorder.Event, how string) {
	at.origin = origin{}
	if e.By != 0 {
		at.origin = origin{track: t.slot(e.By).number, at: e.At, how: how}
		t.made = append(t.made, e.ID.Index())
	}
}

// confirm keeps the arrows that begin in a slice which has ended. Others would begin nowhere: a native call
// below which other fibers run has no slice before them.
func (t *Writer) confirm(from *track, e *recorder.Event) {
	for _, slot := range t.made {
		o := &t.tracks[slot].origin
		if o.sure = o.track == from.number && e.Began <= o.at && o.at <= e.At; !o.sure {
			*o = origin{}
		}
	}
	t.made = t.made[:0]
}

// arrow writes the arrow to a slice, both ends at once: a fiber that never runs has none.
func (t *Writer) arrow(to *track, at time.Duration) {
	o := to.origin
	to.origin = origin{}
	if !o.sure {
		return
	}
	t.flows++
	t.end("s", o.track, o.at, o.how)
	t.close()
	t.end("f", to.number, at, o.how)
	t.some("bp", "e")
	t.close()
}

func (t *Writer) end(phase string, track uint64, at time.Duration, how string) {
	t.begin(phase, fibers, track)
	t.instant("ts", at)
	t.number("id", t.flows)
	t.some("name", how)
	t.some("cat", "flow")
}
