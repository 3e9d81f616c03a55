package scheduler

import (
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// batchEntries is how many entries come without a comparison of step.
const batchEntries = batchSize + 1

func newRecording(c *Core, record func(entries []Entry, between bool)) *recording {
	if record == nil {
		return nil
	}
	r := &recording{core: c, record: record}
	r.limit()
	return r
}

// limit sets where the next flush is due.
func (r *recording) limit() {
	c := r.core
	if c.observer != nil {
		return // every operation takes its slow path
	}
	c.restUntil = r.received + historyLen - batchEntries
	if c.op == c.restOp {
		c.fastUntil = c.restUntil
	}
}

// flush hands over what the history has gained.
func (r *recording) flush(between bool) {
	entries := r.entries()
	if len(entries) == 0 && !between {
		return
	}
	r.received = r.core.step
	r.limit()
	defer r.core.mustNotPanic("Config.Record")
	r.record(entries, between)
}

// entries are those that the recorder has not received, in one piece.
func (r *recording) entries() []Entry {
	c := r.core
	if c.step-r.received > historyLen {
		r.lost += c.step - r.received - historyLen
		r.received = c.step - historyLen
	}
	from, to := r.received%historyLen, c.step%historyLen
	switch {
	case r.received == c.step:
		return nil
	case from < to:
		return c.history[from:to]
	}
	n := copy(r.buffer[:], c.history[from:])
	n += copy(r.buffer[n:], c.history[:to])
	return r.buffer[:n]
}

// Flush hands Config.Record what it has not received yet; without one it does nothing.
func (f Inspect) Flush() {
	if invariants.On {
		f.core.checkOwner(op.Poll)
	}
	if r := f.core.recording; r != nil {
		r.flush(false)
	}
}

// Unrecorded is how many transitions Config.Record has not received because the history had
// overwritten them. It is 0 unless fibers are put at the front of the ready queue by Fork.
func (f Inspect) Unrecorded() uint64 {
	if r := f.core.recording; r != nil {
		return r.lost
	}
	return 0
}
