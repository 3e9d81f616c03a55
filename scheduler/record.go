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

// maxTurns is after how many turns one hands over what there is, however little: the recorder has to notice that
// turns have become long.
const maxTurns = 32

func newRecording(c *Core, record func(entries []Entry, between bool, turns int) (each bool)) *recording {
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
		r.flush(0, false)
	}
}

// endTurn is the end of what came from outside.
func (r *recording) endTurn() {
	c := r.core
	r.turns++
	idle := c.run().len() == 0
	if c.step >= r.due || c.step != r.slicesEnd || idle || r.turns >= maxTurns {
		turns := r.turns
		r.turns = 0
		r.flush(turns, r.each || idle)
	}
	r.between = false
}

// flush hands over what the history has gained, after turns that have ended; with always, also that it has gained
// nothing.
func (r *recording) flush(turns int, always bool) {
	step := r.core.step
	if r.between && r.received < r.slicesEnd {
		if r.slicesEnd == step && !always {
			r.handOver(step, false, turns)
			return
		}
		r.handOver(r.slicesEnd, false, 0)
	}
	if r.received < step || always {
		r.handOver(step, r.between, turns)
	}
}

// handOver hands over the entries before a step. What is handed over counts as received before the call, which may flush.
// The turns come with the last call.
func (r *recording) handOver(step uint64, between bool, turns int) {
	defer r.core.mustNotPanic("Config.Record")
	for more := true; more; more = r.received < step {
		entries, ended := r.next(step), 0
		if r.received >= step {
			ended = turns
		}
		r.each = r.record(entries, between, ended)
		r.limit()
	}
}

// next are the entries before a step: the first of two pieces if the history has them so and the recorder does not
// look at each turn, because joining them costs a copy.
func (r *recording) next(step uint64) []Entry {
	c := r.core
	if c.step-r.received > historyLen {
		r.lost += c.step - r.received - historyLen
		r.received = c.step - historyLen
	}
	if r.received >= step {
		return nil
	}
	from, n := r.received%historyLen, step-r.received
	end := from + n
	switch {
	case end <= historyLen:
	case r.each:
		r.received = step
		return append(append(r.buffer[:0], c.history[from:]...), c.history[:end-historyLen]...)
	default:
		end = historyLen
	}
	r.received += end - from
	return c.history[from:end]
}

// Flush hands Config.Record what it has not received yet; without one it does nothing.
func (f Inspect) Flush() {
	if invariants.On {
		f.core.checkOwner(op.Poll)
	}
	if r := f.core.recording; r != nil {
		r.flush(0, false)
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
