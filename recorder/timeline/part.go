package timeline

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
)

// bufferSize is how much of a part waits to be written.
const bufferSize = 64 << 10

// The processes of a part. Those of the next one follow.
const (
	fibers = 1
	owner  = 2
)

// worker is the track of the owner's goroutine.
const worker = 1

// flowBits is how many bits of the number of an arrow count those of its part; the others are the part's. JavaScript
// reads the sum exactly.
const flowBits = 32

// Part writes what one scheduler does, whose recorder is exact. One goroutine at a time uses it; others may use
// other parts at once. Its memory is proportional to the fibers alive at once; a slice with the wait that follows
// takes about 800 bytes of the trace.
type Part struct {
	object
	file    *file
	of      string        // " of " and the name; "" is the first part
	after   time.Duration // the beginning of the trace
	before  uint64        // how many processes the parts before it have
	begun   bool
	closed  bool
	tracks  []track  // by slot
	lives   uint64   // of fibers so far
	flows   uint64   // the last number of an arrow
	made    []uint32 // slots of fibers that the slice under way has woken or spawned
	states  states
	jumps   []jump
	virtual fiber.Time // of the last jump
	now     time.Duration
}

// begins names the processes, before the first event.
func (p *Part) begins() {
	p.begun = true
	p.text = make([]byte, 0, bufferSize+bufferSize/4)
	p.title("process_name", fibers, 0, "fibers"+p.of)
	p.title("process_name", owner, 0, "scheduler"+p.of)
	p.title("thread_name", owner, worker, "worker 0")
}

// Event is for recorder.Config.Each. After Close it does nothing.
func (p *Part) Event(e *recorder.Event) {
	if p.closed {
		return
	}
	if !p.begun {
		p.begins()
	}
	p.tellJumps(e.At)
	p.now = max(p.now, e.At)
	at := p.track(e)
	switch {
	case e.EndsSlice():
		p.slice(at, e)
	case e.From == fiber.Dead:
		at.where = whereOf(e)
		p.arises(at, e, "spawn")
	case e.From == fiber.Blocked:
		p.wait(at, e.At, e)
		p.arises(at, e, "wake")
	}
	if !e.EndsSlice() {
		p.states.change(e.At, e.From, e.To)
	}
	at.since = e.At
	switch e.To {
	case fiber.Blocked:
		at.waits = waits{on: e.Object, kind: kindOf(e), where: whereOf(e)}
		at.blocked = true
	case fiber.Dead:
		if !e.EndsSlice() {
			p.mark(at, e)
		}
		*at = track{}
	}
}

// Close ends the part, with the waits that have not ended, and frees its memory. It is called after the last
// Flush of the recorder; a second call does nothing. Writer.Close returns the errors.
func (p *Part) Close() {
	if p.closed {
		return
	}
	if p.begun {
		p.tellJumps(p.now)
		for i := range p.tracks {
			if at := &p.tracks[i]; at.blocked {
				p.wait(at, p.now, nil)
			}
		}
		p.states.finish(p)
		p.flush()
	}
	p.closed = true
	p.text, p.tracks, p.states, p.jumps = nil, nil, states{}, nil
	p.file.remove(p)
}

// begin begins an event of the trace.
func (p *Part) begin(phase string, process, thread uint64) {
	if len(p.text) > bufferSize {
		p.flush()
	}
	p.text = append(p.text, ",\n"...)
	p.open()
	p.some("ph", phase)
	p.number("pid", p.before+process)
	p.number("tid", thread)
}

// at appends the instant of an event, by the time of the trace.
func (p *Part) at(instant time.Duration) { p.instant("ts", p.after+instant) }

// flush writes what is there: whole events, so that the trace can be read whenever the process ends.
func (p *Part) flush() {
	p.file.write(p.text)
	p.text = p.text[:0]
}

// title names a process or a track.
func (p *Part) title(what string, process, thread uint64, name string) {
	p.begin("M", process, thread)
	p.some("name", what)
	p.field("args")
	p.open()
	p.some("name", name)
	p.close()
	p.close()
}
