package wheel

// spare chunks are kept by every pool.
const spare = 16

// bucket is an append-only list of entries in registration order. The zero bucket is
// empty.
type bucket struct {
	head, tail *chunk
	n          int
	first      Entry // of those with the earliest deadline; of no meaning while empty
}

func (b *bucket) add(e Entry, p *pool) {
	if b.n == 0 || e.Deadline < b.first.Deadline {
		b.first = e
	}
	b.n++
	t := b.tail
	if t == nil || t.end == len(t.entries) {
		t = p.get()
		if b.tail == nil {
			b.head = t
		} else {
			b.tail.next = t
		}
		b.tail = t
	}
	t.entries[t.end] = e
	t.end++
}

// pop takes the oldest entry of a bucket of a single instant that is not empty.
func (b *bucket) pop(p *pool) Entry {
	c := b.head
	e := c.entries[c.start]
	c.start++
	b.n--
	if c.start == c.end {
		if c = p.put(c); c == nil {
			*b = bucket{}
			return e
		}
		b.head = c
	}
	b.first = c.entries[c.start]
	return e
}

// chunk is a piece of a bucket, 1 KiB. What is read first is in front, and so is the one
// pointer, behind which the garbage collector need not look.
type chunk struct {
	next       *chunk
	start, end int // entries[start:end] are in use
	entries    [31]Entry
}

func (c *chunk) live() []Entry { return c.entries[c.start:c.end] }

// pool keeps chunks for the next bucket. A period is as many timers gone as fit in all
// its chunks a few times over; what was not needed in a whole period is let go.
type pool struct {
	free  *chunk
	nfree int
	used  int // chunks in buckets
	peak  int // most chunks in buckets in this period
	gone  int // timers gone in this period
}

func (p *pool) get() *chunk {
	p.used++
	p.peak = max(p.peak, p.used)
	c := p.free
	if c == nil {
		return new(chunk)
	}
	p.free, c.next = c.next, nil
	p.nfree--
	return c
}

// put takes a chunk back and returns the one that followed it.
func (p *pool) put(c *chunk) *chunk {
	next := c.next
	c.start, c.end, c.next = 0, 0, p.free
	p.free = c
	p.nfree++
	p.used--
	return next
}

// release takes back a chunk and all that follow it.
func (p *pool) release(c *chunk) {
	for c != nil {
		c = p.put(c)
	}
}

// note counts timers that went, by coming due or by compaction.
func (p *pool) note(timers int) {
	if p.gone += timers; p.gone > 128*(p.used+p.nfree+1) {
		p.trim()
	}
}

// trim ends a period: a little more stays than it needed at most.
func (p *pool) trim() {
	for keep := p.peak + p.peak/4 + spare; p.nfree > 0 && p.used+p.nfree > keep; p.nfree-- {
		p.free = p.free.next
	}
	p.peak, p.gone = p.used, 0
}
