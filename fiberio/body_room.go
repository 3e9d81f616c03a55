package fiberio

import (
	"container/list"
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

// bodyRoom is the memory for the bodies of a server's requests. A body claims memory before the
// server reads into it, and waits if there is none.
//
// Bodies that each hold a part and wait for the rest would wait without end. So the lead, the
// oldest body that has not arrived completely, may use all memory, and the others what leaves
// room for one body of the largest size. The lead then waits only for handlers.
type bodyRoom struct {
	all   int64 // bytes for the bodies together
	share int64 // of these, bytes for which a body that is not the lead must find room

	mu      sync.Mutex
	used    int64
	reading list.List // of *claim: the bodies that have not arrived completely, in order of arrival
	waiting list.List // of *claim: those among them that wait for memory, in order of their calls
}

// claim is the memory of one body.
type claim struct {
	room    *bodyRoom
	held    int64         // bytes
	want    int64         // bytes that it has asked for last
	granted chan struct{} // closed when it has them; nil if it has not waited
	reads   *list.Element // in room.reading, nil when the body has arrived
	waits   *list.Element // in room.waiting, nil if it does not wait
}

// errNoRoom: the body has waited for memory until its deadline.
var errNoRoom = errors.New("fiberio: the bodies of other requests use all memory")

func newBodyRoom(cfg ServerConfig) *bodyRoom {
	r := &bodyRoom{all: cfg.MaxBodies, share: cfg.MaxBodies}
	if cfg.MaxBodies != math.MaxInt64 {
		r.share -= cfg.MaxBody
	}
	return r
}

// begin makes the claim of a body that has just begun to arrive. End it by release.
func (r *bodyRoom) begin() *claim {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &claim{room: r}
	c.reads = r.reading.PushBack(c)
	return c
}

// grow claims n more bytes and waits for them until the deadline, or until ctx ends.
func (c *claim) grow(ctx context.Context, n int64, deadline time.Time) error {
	granted := c.ask(n)
	if granted == nil {
		return nil
	}
	if !deadline.IsZero() {
		timed, cancel := context.WithDeadlineCause(ctx, deadline, errNoRoom)
		defer cancel()
		ctx = timed
	}
	select {
	case <-granted:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx) // release withdraws the claim
	}
}

// ask claims n bytes. If they are not there yet, the channel is closed when they are.
func (c *claim) ask(n int64) <-chan struct{} {
	r := c.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.want = n; c.admit() {
		return nil
	}
	c.granted = make(chan struct{})
	c.waits = r.waiting.PushBack(c)
	return c.granted
}

// admit takes the memory that the claim wants, if it has its turn and there is enough.
func (c *claim) admit() bool {
	r, limit := c.room, c.room.share
	if c.reads == r.reading.Front() {
		limit = r.all
	} else if first := r.waiting.Front(); first != nil && first != c.waits {
		return false
	}
	if c.want > limit-r.used {
		return false
	}
	c.held += c.want
	r.used += c.want
	return true
}

// arrived ends the reading of a body, which keeps its memory.
func (c *claim) arrived() { c.leave(func() int64 { return 0 }) }

// release gives the memory back. A second call does nothing.
func (c *claim) release() { c.leave(func() int64 { return c.held }) }

// leave ends the reading, frees memory, and lets others have it.
func (c *claim) leave(freed func() int64) {
	r := c.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.reads != nil {
		r.reading.Remove(c.reads)
		c.reads = nil
	}
	if c.waits != nil {
		r.waiting.Remove(c.waits)
		c.waits = nil
	}
	n := freed()
	c.held -= n
	r.used -= n
	r.grant()
}

// grant wakes the claims that have their turn and for which there is enough memory.
func (r *bodyRoom) grant() {
	if lead := r.reading.Front(); lead != nil {
		r.wake(lead.Value.(*claim))
	}
	for first := r.waiting.Front(); first != nil && r.wake(first.Value.(*claim)); first = r.waiting.Front() {
		continue
	}
}

// wake grants what a claim waits for, if that is possible.
func (r *bodyRoom) wake(c *claim) bool {
	if c.waits == nil || !c.admit() {
		return false
	}
	r.waiting.Remove(c.waits)
	c.waits = nil
	close(c.granted)
	return true
}
