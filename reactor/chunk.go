package reactor

import (
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// chunkSize is how many pieces of work go to the workers at once.
const chunkSize = 32

// chunk is a batch on its way to the workers, who take its pieces one by one. It is made for
// one journey, and with it the contexts of its pieces: work may keep its context for longer
// than it runs, and must not see another's in it then.
type chunk struct {
	jobs     [chunkSize]*job
	contexts [chunkSize]workContext
	n        int32        // how many; fixed when the workers get it
	next     atomic.Int32 // the first that nobody has taken; may be beyond n
	rest     *chunk       // the batch behind it in the queue
}

func (c *chunk) full() bool { return c.n == chunkSize }

func (c *chunk) add(j *job) {
	c.jobs[c.n] = j
	j.ctx, j.in, j.place = &c.contexts[c.n], c, c.n
	c.n++
}

// claim is the next piece that nobody has taken, or nil.
func (c *chunk) claim() *job {
	if i := c.next.Add(1) - 1; i < c.n {
		return c.jobs[i]
	}
	return nil
}

// left tells whether there is a piece that nobody has taken.
func (c *chunk) left() bool { return c.next.Load() < c.n }

// job is one piece of work. While it is busy, the worker that claims it writes its result,
// and hands it over with the note; otherwise it is the owner's, and waits for the next token
// of the same slot.
type job struct {
	busy  bool
	told  bool  // its context had ended when it did
	place int32 // in the chunk
	tok   fiber.Token
	work  Work
	abort func() // nil: the context is enough
	ctx   *workContext
	in    *chunk
	done  ioqueue.Completion
	next  *job // in the list of notes
}

// cancel tells the work that nobody wants its result. The first cause stays.
func (j *job) cancel(cause error) {
	if j.ctx.cancel(cause) && j.abort != nil {
		j.abort()
	}
}

// begun tells whether a worker has taken it.
func (j *job) begun() bool { return j.in.next.Load() > j.place }

// keptJobs is how many jobs stay for the next tokens; those of more are made anew.
const keptJobs = 1 << 14

// jobs are those of a pool, by their tokens' slots.
type jobs struct {
	table []*job
	fresh []job // made together, not used yet
}

// begin is the job for a token. If that of its slot is busy, the host has ended that one's
// token itself; its worker does not know yet.
func (js *jobs) begin(tok fiber.Token, work Work, abort func()) *job {
	slot := int(ioqueue.SlotOf(tok))
	if slot >= len(js.table) {
		js.table = append(js.table, make([]*job, max(slot+1, 2*len(js.table))-len(js.table))...)
	}
	j := js.table[slot]
	if j == nil || j.busy {
		j = js.make()
		js.table[slot] = j
	}
	j.busy, j.tok, j.work, j.abort = true, tok, work, abort
	return j
}

func (js *jobs) make() *job {
	if len(js.fresh) == 0 {
		js.fresh = make([]job, chunkSize)
	}
	j := &js.fresh[0]
	js.fresh = js.fresh[1:]
	return j
}

// end has the job wait for the next token, and keeps nothing of this one's alive.
func (js *jobs) end(j *job) {
	j.busy, j.work, j.abort, j.ctx, j.in, j.done = false, nil, nil, nil, nil, ioqueue.Completion{}
	if slot := ioqueue.SlotOf(j.tok); slot >= keptJobs && js.table[slot] == j {
		js.table[slot] = nil
	}
}

// find is the busy job of a token, or nil.
func (js *jobs) find(tok fiber.Token) *job {
	if slot := ioqueue.SlotOf(tok); int(slot) < len(js.table) {
		if j := js.table[slot]; j != nil && j.busy && j.tok == tok {
			return j
		}
	}
	return nil
}

// each goes through those that are busy.
func (js *jobs) each(do func(*job)) {
	for _, j := range js.table {
		if j != nil && j.busy {
			do(j)
		}
	}
}
