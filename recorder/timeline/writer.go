package timeline

import (
	"io"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
)

// Writer writes a trace, of one scheduler or of several. Its methods but Part are for the first scheduler, and
// one goroutine at a time calls them.
type Writer struct {
	file  file
	first *Part
}

// New begins a trace. What w fails with is returned by Close; the rest of the trace is then dropped. No two
// calls of w overlap; they come from the goroutines that use the parts.
func New(w io.Writer) *Writer {
	t := &Writer{file: file{to: w}}
	t.first = t.file.add(&Part{})
	t.first.begins()
	return t
}

// Part adds a scheduler to the trace, whose processes are called "fibers of" and "scheduler of" its name. Its
// recording has begun that long after the one of the first scheduler (the difference of their recorders' Began, which
// have one clock). Any goroutine may call. A part without events is not in the trace.
func (t *Writer) Part(name string, after time.Duration) *Part {
	return t.file.add(&Part{of: " of " + name, after: after})
}

// Event is Part.Event of the first scheduler.
func (t *Writer) Event(e *recorder.Event) { t.first.Event(e) }

// Virtual is Part.Virtual of the first scheduler.
func (t *Writer) Virtual(at time.Duration, now fiber.Time) { t.first.Virtual(at, now) }

// Close ends the trace, with the parts that have not ended, none of which is in use any more. It returns the
// first error of the file; a second call returns one too.
func (t *Writer) Close() error {
	for _, p := range t.file.left() {
		p.Close()
	}
	return t.file.close()
}
