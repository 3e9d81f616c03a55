package timeline

import (
	"errors"
	"io"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
)

// bufferSize is how much of the trace waits to be written.
const bufferSize = 64 << 10

// The processes of the trace.
const (
	fibers = 1
	owner  = 2
)

// worker is the track of the owner's goroutine.
const worker = 1

// Writer writes the trace of one scheduler, whose recorder is exact. One goroutine at a time uses it. Its memory
// is proportional to the fibers alive at once; a slice with the wait that follows takes about 800 bytes of
// the trace.
type Writer struct {
	object
	to      io.Writer
	failed  error
	first   bool
	tracks  []track  // by slot
	lives   uint64   // of fibers so far
	flows   uint64   // so far
	made    []uint32 // slots of fibers that the slice under way has woken or spawned
	states  states
	jumps   []jump
	virtual fiber.Time // of the last jump
	now     time.Duration
}

// New begins a trace. What w fails with is returned by Close; the rest of the trace is then dropped.
func New(w io.Writer) *Writer {
	t := &Writer{to: w, first: true}
	t.text = append(make([]byte, 0, bufferSize+bufferSize/4), `{"displayTimeUnit":"ns","traceEvents":[`...)
	t.title("process_name", fibers, 0, "fibers")
	t.title("process_name", owner, 0, "scheduler")
	t.title("thread_name", owner, worker, "worker 0")
	return t
}

// Event is for recorder.Config.Each.
func (t *Writer) Event(e *recorder.Event) {
	t.tellJumps(e.At)
	t.now = max(t.now, e.At)
	at := t.of(e)
	switch {
	case e.EndsSlice():
		t.slice(at, e)
	case e.From == fiber.Dead:
		at.where = whereOf(e)
		t.arises(at, e, "spawn")
	case e.From == fiber.Blocked:
		t.wait(at, e.At, e)
		t.arises(at, e, "wake")
	}
	if !e.EndsSlice() {
		t.states.change(e.At, e.From, e.To)
	}
	at.since = e.At
	switch e.To {
	case fiber.Blocked:
		at.waits = waits{on: e.Object, kind: kindOf(e), where: whereOf(e)}
		at.blocked = true
	case fiber.Dead:
		if !e.EndsSlice() {
			t.mark(at, e)
		}
		*at = track{}
	}
}

// Close ends the trace, with the waits that have not ended, and returns the first error of the writer.
func (t *Writer) Close() error {
	t.tellJumps(t.now)
	for i := range t.tracks {
		if at := &t.tracks[i]; at.blocked {
			t.wait(at, t.now, nil)
		}
	}
	t.states.finish(t)
	t.text = append(t.text, "\n]}\n"...)
	t.flush()
	if t.failed == nil {
		t.failed = errClosed
		return nil
	}
	return t.failed
}

var errClosed = errors.New("timeline: the trace is closed")

// begin begins an event of the trace.
func (t *Writer) begin(phase string, process, thread uint64) {
	if len(t.text) > bufferSize {
		t.flush()
	}
	if !t.first {
		t.text = append(t.text, ',')
	}
	t.first = false
	t.text = append(t.text, '\n')
	t.open()
	t.some("ph", phase)
	t.number("pid", process)
	t.number("tid", thread)
}

// flush writes what is there: whole events, so that the trace can be read whenever the process ends.
func (t *Writer) flush() {
	if t.failed == nil {
		_, t.failed = t.to.Write(t.text)
	}
	t.text = t.text[:0]
}

// title names a process or a track.
func (t *Writer) title(what string, process, thread uint64, name string) {
	t.begin("M", process, thread)
	t.some("name", what)
	t.field("args")
	t.open()
	t.some("name", name)
	t.close()
	t.close()
}
