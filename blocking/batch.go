package blocking

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

const (
	batchBits = 5
	// batchSize is how many jobs are handed to the workers at once.
	batchSize = 1 << batchBits
)

// batch is a fixed array of jobs, the unit in which work goes to the workers. It is used
// again when all of its jobs are collected. It belongs to the owner, except for the fields of
// a job that a worker has claimed (decision 0061). A job that does not end keeps its batch in use,
// which is less memory than the goroutine that is stuck in it.
type batch struct {
	jobs   [batchSize]job
	number uint // its index in batches.all
	n      uint // how many jobs it has
	left   uint // how many jobs of a submitted batch are not collected
	use    *batchUse
}

// cancel ends the context of a job. Only the first call for a job has an effect.
func (b *batch) cancel(i uint, cause error) {
	if j := &b.jobs[i]; b.use.contexts[i].cancel(cause) && j.abort != nil {
		j.abort()
	}
}

// batchUse holds what must be new for each use of a batch. Work may keep its context after it
// has returned, and must not see the context of a later job there; and a worker may still
// look at a range of the batch after all of its jobs are collected.
type batchUse struct {
	whole    jobRange
	contexts [batchSize]workContext
}

// batches are the batches of one pool; all of it belongs to the owner. Every batch that is open or
// has a job that is not collected is in all, at its number.
type batches struct {
	all         []*batch // by number
	freeNumbers []uint   // the indexes of nil in all
	free        []*batch // collected, to be used again
	table       []uint32 // by a token's slot: batch number and index of the slot's last job
}

// maxFree is how many batches are kept for later use; more are left to the garbage collector.
const maxFree = 1 << 9

// open returns an empty batch.
func (bs *batches) open() *batch {
	var b *batch
	if last := len(bs.free) - 1; last >= 0 {
		b = bs.free[last]
		bs.free = bs.free[:last]
	} else {
		b = bs.make()
	}
	// In the steady state the only allocation for up to 32 jobs, beside the ranges that idle
	// workers split off. batchUse says why it cannot be used again.
	b.n, b.use = 0, new(batchUse)
	b.use.whole.batch, b.use.whole.use = b, b.use
	return b
}

// make allocates a batch under a free number, or under a new one.
func (bs *batches) make() *batch {
	b := &batch{number: uint(len(bs.all))}
	if last := len(bs.freeNumbers) - 1; last >= 0 {
		b.number = bs.freeNumbers[last]
		bs.freeNumbers = bs.freeNumbers[:last]
		bs.all[b.number] = b
	} else {
		bs.all = append(bs.all, b)
	}
	return b
}

// grow makes the table large enough for so many slots. It doubles: slots are small numbers, at most
// as many as operations have existed at once, so the table stays in proportion to those.
func (bs *batches) grow(slots int) {
	if slots > len(bs.table) {
		table := make([]uint32, max(slots, 2*len(bs.table)))
		copy(table, bs.table)
		bs.table = table
	}
}

// close takes back a batch whose jobs are all collected.
func (bs *batches) close(b *batch) {
	b.use = nil // its contexts may live on in the work that kept them
	if len(bs.free) < maxFree {
		bs.free = append(bs.free, b)
		return
	}
	bs.all[b.number] = nil
	bs.freeNumbers = append(bs.freeNumbers, b.number)
}

// cancel ends the context of the token's job if that is under way. The table is not cleared
// when a job ends, so the job's token decides whether the entry is current.
func (bs *batches) cancel(tok fiber.Token, cause error) {
	slot := int(ioqueue.SlotOf(tok))
	if slot >= len(bs.table) {
		return
	}
	at := bs.table[slot]
	if b := bs.all[at>>batchBits]; b != nil && b.jobs[at%batchSize].tok == tok {
		b.cancel(uint(at%batchSize), cause)
	}
}

// each calls do for every job that is not collected.
func (bs *batches) each(do func(b *batch, i uint)) {
	for _, b := range bs.all {
		for i := range uint(batchSize) {
			if b != nil && b.jobs[i].tok != 0 {
				do(b, i)
			}
		}
	}
}
