package timeline

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// head is what a trace begins with.
const head = `{"displayTimeUnit":"ns","traceEvents":[`

var errClosed = errors.New("timeline: the trace is closed")

// file is where the parts of a trace go. Any goroutine may use it.
type file struct {
	mu     sync.Mutex
	to     io.Writer
	failed error
	begun  bool
	parts  uint64  // so far
	open   []*Part // in the order in which they were added
}

// add makes the next part. Its numbers are known before it has an event, so that they follow the calls.
func (f *file) add(p *Part) *Part {
	f.mu.Lock()
	defer f.mu.Unlock()
	p.file = f
	p.before, p.flows = f.parts*owner, f.parts<<flowBits
	f.parts++
	f.open = append(f.open, p)
	return p
}

// write appends events, each of which begins with a comma.
func (f *file) write(events []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.begun && len(events) > 0 {
		f.begun = true
		f.put([]byte(head))
		events = events[1:]
	}
	f.put(events)
}

// put writes while there has been no error. The caller holds the lock.
func (f *file) put(text []byte) {
	if f.failed == nil && len(text) > 0 {
		_, f.failed = f.to.Write(text)
	}
}

// remove forgets a part that has ended, and its memory.
func (f *file) remove(p *Part) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open = slices.DeleteFunc(f.open, func(o *Part) bool { return o == p })
}

// left are the parts that have not ended.
func (f *file) left() []*Part {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.open)
}

// close writes the end, and returns the first error.
func (f *file) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.put([]byte("\n]}\n"))
	if f.failed == nil {
		f.failed = errClosed
		return nil
	}
	return f.failed
}
