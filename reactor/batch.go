package reactor

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

const (
	batchBits = 5
	// batchSize is how many pieces of work go to the workers at once.
	batchSize = 1 << batchBits
)

// piece is one piece of work, and what it ends with. All of it is in one place: a worker
// leaves its result where the owner looks for it, and neither needs another record. Token and
// abort are the owner's, and none when the piece is over; the rest is the worker's from its
// claim to its next one.
type piece struct {
	tok   fiber.Token
	abort func() // nil: the context is enough
	work  Work
	done  ioqueue.Completion
	told  bool // its context had ended when it did
}

// do does the work, unless nobody wants its result any more.
func (p *piece) do(ctx *workContext) {
	if ctx.inUse() { // before it begins, that is to have ended
		p.done.Err = ctx.ended()
	} else if value, err := p.work(ctx); value != nil || err != nil {
		p.done.Value, p.done.Err = value, err
	}
	p.end(ctx)
}

// end is the last that a worker does with a piece, however it ended.
func (p *piece) end(ctx *workContext) {
	p.work = nil
	if ctx.inUse() {
		p.told = ctx.close()
	}
}

// clear is the last that the owner does with it: it keeps nothing alive.
func (p *piece) clear() {
	p.tok, p.told = 0, false
	if p.abort != nil {
		p.abort = nil
	}
	if p.done.Value != nil || p.done.Err != nil {
		p.done = ioqueue.Completion{}
	}
}

// batch is what the owner hands over at once, and collects as it is done. When all of it is
// over it is used again. It is the owner's, but for those pieces that a worker has.
type batch struct {
	pieces  [batchSize]piece
	number  uint
	n       uint // how many pieces there are
	left    uint // how many of those that were handed over are not over
	journey *journey
}

// cancel tells the work of a piece that nobody wants its result. The first cause stays.
func (b *batch) cancel(i uint, cause error) {
	if p := &b.pieces[i]; b.journey.contexts[i].cancel(cause) && p.abort != nil {
		p.abort()
	}
}

// journey is what is made for each use of a batch: work may keep its context for longer than
// it runs, and must not see another's in it then; and a worker may come too late to a share
// that has been done.
type journey struct {
	whole    share
	contexts [batchSize]workContext
}

// batches are those of a pool.
type batches struct {
	all   []*batch // by number
	holes []uint   // the numbers of none
	spare []*batch
	table []uint32 // by a token's slot: where the piece is, or was, that had one with it last
}

// keptBatches is how many are kept for later. Those of more are made anew.
const keptBatches = 1 << 9

// open is a batch with nothing in it.
func (bs *batches) open() *batch {
	var b *batch
	if last := len(bs.spare) - 1; last >= 0 {
		b = bs.spare[last]
		bs.spare = bs.spare[:last]
	} else {
		b = bs.make()
	}
	b.n, b.journey = 0, new(journey)
	b.journey.whole.batch, b.journey.whole.journey = b, b.journey
	return b
}

func (bs *batches) make() *batch {
	b := &batch{number: uint(len(bs.all))}
	if last := len(bs.holes) - 1; last >= 0 {
		b.number = bs.holes[last]
		bs.holes = bs.holes[:last]
		bs.all[b.number] = b
	} else {
		bs.all = append(bs.all, b)
	}
	return b
}

// fit makes room in the table.
func (bs *batches) fit(slots int) {
	if slots > len(bs.table) {
		table := make([]uint32, max(slots, 2*len(bs.table)))
		copy(table, bs.table)
		bs.table = table
	}
}

// close keeps a batch for later, or lets go of it.
func (bs *batches) close(b *batch) {
	b.journey = nil
	if len(bs.spare) < keptBatches {
		bs.spare = append(bs.spare, b)
		return
	}
	bs.all[b.number] = nil
	bs.holes = append(bs.holes, b.number)
}

// cancel tells the work of a token, if it is under way, that nobody wants its result.
func (bs *batches) cancel(tok fiber.Token, cause error) {
	slot := int(ioqueue.SlotOf(tok))
	if slot >= len(bs.table) {
		return
	}
	at := bs.table[slot]
	if b := bs.all[at>>batchBits]; b != nil && b.pieces[at%batchSize].tok == tok {
		b.cancel(uint(at%batchSize), cause)
	}
}

// each goes through the pieces that are under way.
func (bs *batches) each(do func(b *batch, i uint)) {
	for _, b := range bs.all {
		for i := range uint(batchSize) {
			if b != nil && b.pieces[i].tok != 0 {
				do(b, i)
			}
		}
	}
}
