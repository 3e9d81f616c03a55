package race

// channel is what is known of a channel. Of a buffered one, the k-th send and the k-th receive use slot
// k modulo the capacity, in this order: so a send happens before the receive of its value, and a
// receive before the send that uses its slot next.
type channel struct {
	slots       []Clock
	sent, taken int
	closed      Clock
}

func (d *Detector) channel(ch any, capacity int) *channel {
	c := d.chans[ch]
	if c == nil {
		c = &channel{slots: make([]Clock, capacity)}
		d.chans[ch] = c
	}
	return c
}

// use orders a thread after the last use of a slot, and the next use after the thread.
func (c *channel) use(t *Thread, number int) {
	slot := &c.slots[number%len(c.slots)]
	t.Acquire(*slot)
	*slot = t.Snapshot()
}

// meet orders what each of two threads has done before what the other one does from now on.
func meet(a, b *Thread) {
	x := a.Snapshot()
	a.Acquire(b.Snapshot())
	b.Acquire(x)
}

// Sent is a send that a channel has accepted. receiver has waited for the value; nil if none has.
func (d *Detector) Sent(t *Thread, ch any, capacity int, receiver *Thread) {
	if capacity == 0 {
		if receiver != nil {
			meet(t, receiver)
		}
		return
	}
	c := d.channel(ch, capacity)
	c.use(t, c.sent)
	c.sent++
	if receiver != nil {
		c.use(receiver, c.taken)
		c.taken++
	}
}

// Received is a receive of a value. sender has waited with a value, which the receiver has taken, or
// which has the place in the buffer now; nil if none has.
func (d *Detector) Received(t *Thread, ch any, capacity int, sender *Thread) {
	if capacity == 0 {
		if sender != nil {
			meet(t, sender)
		}
		return
	}
	c := d.channel(ch, capacity)
	c.use(t, c.taken)
	c.taken++
	if sender != nil {
		c.use(sender, c.sent)
		c.sent++
	}
}

// SentBy is a send that no thread makes: a timer that was set at this clock has expired.
func (d *Detector) SentBy(set Clock, ch any, capacity int, receiver *Thread) {
	c := d.channel(ch, capacity)
	c.slots[c.sent%capacity] = copyOf(set)
	c.sent++
	if receiver != nil {
		c.use(receiver, c.taken)
		c.taken++
	}
}

// Closed is the close of a channel, which has woken threads that waited.
func (d *Detector) Closed(t *Thread, ch any, capacity int, woken []*Thread) {
	closed := t.Snapshot()
	d.channel(ch, capacity).closed = closed
	for _, w := range woken {
		w.Acquire(closed)
	}
}

// Drained is a receive that has found the channel closed and empty.
func (d *Detector) Drained(t *Thread, ch any, capacity int) {
	t.Acquire(d.channel(ch, capacity).closed)
}
