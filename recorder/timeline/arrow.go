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
func (p *Part) arises(at *track, e *recorder.Event, how string) {
	at.origin = origin{}
	if e.By != 0 {
		at.origin = origin{track: p.slot(e.By).number, at: e.At, how: how}
		p.made = append(p.made, e.ID.Index())
	}
}

// confirm keeps the arrows that begin in a slice which has ended. Others would begin nowhere: a native call
// below which other fibers run has no slice before them.
func (p *Part) confirm(from *track, e *recorder.Event) {
	for _, slot := range p.made {
		o := &p.tracks[slot].origin
		if o.sure = o.track == from.number && e.Began <= o.at && o.at <= e.At; !o.sure {
			*o = origin{}
		}
	}
	p.made = p.made[:0]
}

// arrow writes the arrow to a slice, both ends at once: a fiber that never runs has none.
func (p *Part) arrow(to *track, at time.Duration) {
	o := to.origin
	to.origin = origin{}
	if !o.sure {
		return
	}
	p.flows++
	p.end("s", o.track, o.at, o.how)
	p.close()
	p.end("f", to.number, at, o.how)
	p.some("bp", "e")
	p.close()
}

func (p *Part) end(phase string, track uint64, at time.Duration, how string) {
	p.begin(phase, fibers, track)
	p.at(at)
	p.number("id", p.flows)
	p.some("name", how)
	p.some("cat", "flow")
}
