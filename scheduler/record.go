package scheduler

import (
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// batchEntries is how many entries come without a comparison of step.
const batchEntries = batchSize + 1

// dueEntries is how many entries make a turn hand them over, if the recorder does not want each turn. The next
// turn then has room for 32, two for each fiber of its batch, before a fast path meets the limit.
const dueEntries = historyLen - batchEntries - 2*batchSize

func newRecording(c *Core, record func(entries []Entry, between bool) (each bool)) *recording {
	if record == nil {
		return nil
	}
	r := &recording{core: c, record: record, each: true}
	r.limit()
	return r
}

// limit sets where the next flush is due.
func (r *recording) limit() {
	c := r.core
	if r.due = r.received + dueEntries; r.each {
		r.due = 0
	}
	if c.observer != nil {
		return // every operation takes its slow path
	}
	c.restUntil = r.received + historyLen - batchEntries
	if c.op == c.restOp {
		c.fastUntil = c.restUntil
	}
}

// endSlices is the end of the slices of a batch: what follows comes from outside.
func (r *recording) endSlices() {
	if !r.between {
		r.slicesEnd, r.between = r.core.step, true
	}
	if r.each {
		r.flush(false)
	}
}

// endTurn is the end of what came from outside.
func (r *recording) endTurn() {
	c := r.core
	idle := c.run().len() == 0
	if c.step >= r.due || c.step != r.slicesEnd || idle {
		r.flush(r.each || idle)
	}
	r.between = false
}

// flush hands over what the history has gained; with always, also that it has gained nothing.
func (r *recording) flush(always bool) {
	if r.between && r.received < r.slicesEnd {
		r.handOver(r.slicesEnd, false)
	}
	if step := r.core.step; r.received < step || always {
		r.handOver(step, r.between)
	}
}

// handOver hands over the entries before a step: in two pieces if the history has them so and the recorder
// does not look at each turn, because joining them costs a copy.
func (r *recording) handOver(step uint64, between bool) {
	c := r.core
	defer c.mustNotPanic("Config.Record")
	if c.step-r.received > historyLen {
		r.lost += c.step - r.received - historyLen
		r.received = c.step - historyLen
	}
	from, to := r.received%historyLen, step%historyLen
	entries := r.buffer[:0]
	switch {
	case r.received >= step:
	case from < to:
		entries = c.history[from:to]
	case r.each:
		entries = append(append(entries, c.history[from:]...), c.history[:to]...)
	default:
		r.record(c.history[from:], between)
		entries = c.history[:to]
	}
	r.received = max(r.received, step)
	r.each = r.record(entries, between)
	r.limit()
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
