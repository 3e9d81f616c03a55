package opqueue

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"pgregory.net/rapid"
)

// machine drives a Queue and the model with the same calls.
type machine struct {
	q       *Queue
	m       model
	dropped []fiber.Token
	gen     [4]uint32
	seq     uint64
	n       int
}

func newMachine() *machine {
	d := &machine{m: model{limit: 12}}
	d.gen = [4]uint32{1, 1, 1, 1}
	d.q = New(0, 12, func(t fiber.Token, _ ioqueue.Completion) { d.dropped = append(d.dropped, t) })
	return d
}

func (d *machine) owner(t *rapid.T) fiber.RegularID {
	i := rapid.Uint32Range(0, 3).Draw(t, "owner")
	return fiber.NewRegularID(i, d.gen[i])
}

// token is any ever submitted, or any number at all.
func (d *machine) token(t *rapid.T) (fiber.Token, *op) {
	if len(d.m.ops) == 0 || rapid.IntRange(0, 9).Draw(t, "forge") == 0 {
		forged := fiber.Token(rapid.Uint64().Draw(t, "forged"))
		if rapid.Bool().Draw(t, "small") {
			forged = new(Queue).token(uint32(forged%16), uint64(forged>>8)%16)
		}
		return forged, d.m.find(forged)
	}
	recent := d.m.ops[max(0, len(d.m.ops)-24):]
	o := rapid.SampledFrom(recent).Draw(t, "op")
	return o.token, o
}

func (d *machine) completion() ioqueue.Completion { d.n++; return ioqueue.Completion{N: d.n} }

func (d *machine) Submit(t *rapid.T) {
	owner := d.owner(t)
	token, err := d.q.Submit(owner)
	if d.m.full() {
		d.m.counters.Refused++
		if err != ioqueue.ErrFull || token != 0 {
			t.Fatalf("Submit at the limit = %v %v", token, err)
		}
		return
	}
	if err != nil || token == 0 || d.m.find(token) != nil {
		t.Fatalf("Submit = %v %v", token, err)
	}
	d.m.counters.Submitted++
	d.m.ops = append(d.m.ops, &op{token: token, owner: owner, phase: "flight"})
}

// await is Await in one of its two forms. The short one does what there is nothing to decide
// about, and else nothing.
func (d *machine) await(t *rapid.T, token fiber.Token, ticket fiber.Ticket) (early bool, err error) {
	short := rapid.Bool().Draw(t, "short")
	if short && d.q.AwaitInFlight(token, ticket) {
		return false, nil
	}
	early, err = d.q.Await(token, ticket)
	if short && !early && err == nil {
		t.Fatalf("AwaitInFlight(%v) by %v has refused what Await does", token, ticket)
	}
	return early, err
}

func (d *machine) Await(t *rapid.T) {
	token, o := d.token(t)
	d.seq++
	ticket := fiber.Ticket{ID: d.owner(t).ID(), Seq: d.seq}
	early, err := d.await(t, token, ticket)
	if err == ioqueue.ErrNotOwner {
		if o == nil || o.owner.ID() == ticket.ID || !o.in("flight", "done") {
			t.Fatalf("Await by %v refused: %v", ticket, err)
		}
		return
	}
	wantEarly, want := d.m.wait(o, "awaited")
	if early != wantEarly || err != want || err == nil && o.owner.ID() != ticket.ID {
		t.Fatalf("Await(%v) by %v = %v %v, want %v %v", token, ticket, early, err, wantEarly, want)
	}
	if err == nil && !early {
		o.ticket = ticket
	}
}

func (d *machine) Attach(t *rapid.T) {
	token, o := d.token(t)
	cell := &modelCell{real: &ioqueue.Cell{}}
	early, err := d.q.Attach(token, cell.real)
	wantEarly, want := d.m.wait(o, "attached")
	if early != wantEarly || err != want {
		t.Fatalf("Attach(%v) = %v %v, want %v %v", token, early, err, wantEarly, want)
	}
	if err == nil {
		o.cell = cell
	}
}

func (d *machine) Unawait(t *rapid.T) {
	token, o := d.token(t)
	var want error
	switch {
	case o == nil || o.phase == "over":
		want = ioqueue.ErrUnknownToken
	case o.phase != "awaited":
		want = ErrNotAwaited
	default:
		o.phase, o.ticket = "flight", fiber.Ticket{}
	}
	if err := d.q.Unawait(token); err != want {
		t.Fatalf("Unawait(%v) = %v, want %v", token, err, want)
	}
}

func (d *machine) Complete(t *rapid.T) {
	token, o := d.token(t)
	c := d.completion()
	d.dropped = nil
	ticket, verdict := complete(d.q, token, c)
	if want := d.m.complete(o, c); verdict != want {
		t.Fatalf("Complete(%v) = %v, want %v", token, verdict, want)
	}
	if verdict == ioqueue.Deliver && ticket != o.ticket || verdict != ioqueue.Deliver && !ticket.IsZero() {
		t.Fatalf("Complete(%v) = %v for %v", token, verdict, ticket)
	}
	if late := slices.Equal(d.dropped, []fiber.Token{token}); late != (verdict == ioqueue.Late) || !late && d.dropped != nil {
		t.Fatalf("%v dropped %v", verdict, d.dropped)
	}
}

func (d *machine) Take(t *rapid.T) {
	token, o := d.token(t)
	c, ok := take(d.q, token)
	if want := o.in("done", "ready") && o.cell == nil; ok != want || ok && c != o.result {
		t.Fatalf("Take(%v) = %v %v, want %v", token, c, ok, want)
	}
	if ok {
		o.phase = "over"
	}
}

func (d *machine) Settle(t *rapid.T) {
	token, o := d.token(t)
	d.q.Settle(token, nil)
	if !o.in("ready") || o.cell == nil {
		return
	}
	o.phase = "over"
	if value, _, ok := o.cell.real.Result(); !ok || value != any(o.result) {
		t.Fatalf("Settle(%v) gave the cell %v", token, value)
	}
}
