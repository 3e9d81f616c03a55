package wait

import (
	"fmt"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/selvage-dev/selvage/fiber"
)

// The operations on a channel. A value is a byte, and no two sends have the same.
type (
	sendOp    struct{ v byte }
	trySendOp struct{ v byte }
	recvOp    struct{}
	tryRecvOp struct{}
	closeOp   struct{}
)

// received is the output of a receive.
type received struct {
	v      byte
	status Status
}

// chanContest is a channel; sends and closes come to true, false or ErrClosed.
type chanContest struct {
	*trial
	ch   *Chan[byte]
	next byte
	lost byte
}

func newChanContest(r *trial, capacity int) *chanContest {
	x := &chanContest{trial: r, ch: NewChan[byte](capacity)}
	x.ch.OnLost(func(v byte) { x.lost = v })
	return x
}

func (x *chanContest) choose(*client, fiber.ID) any {
	kind := x.rng.IntN(20)
	if kind < 9 && x.next < 255 {
		x.next++
	}
	switch {
	case kind < 2:
		return trySendOp{x.next}
	case kind < 9:
		return sendOp{x.next}
	case kind < 12:
		return tryRecvOp{}
	case kind == 12 && len(x.done) > length/2:
		return closeOp{}
	}
	return recvOp{}
}

func (x *chanContest) begin(c *client, id fiber.ID) (any, fiber.Ticket) {
	switch in := c.op.Input.(type) {
	case closeOp:
		wakes, err := x.ch.Close(nil)
		x.deliver(wakes...)
		return sentinel(true, err), fiber.Ticket{}
	case trySendOp:
		return x.trySend(in.v), fiber.Ticket{}
	case tryRecvOp:
		return x.tryRecv(), fiber.Ticket{}
	case sendOp:
		if sent := x.trySend(in.v); sent != false {
			return sent, fiber.Ticket{}
		}
		tk := x.arm(id, x.ch.Source())
		if err := x.ch.ParkSend(tk, in.v, 0); err != nil {
			x.tb.Fatalf("park: %v", err)
		}
		return nil, tk
	}
	if got := x.tryRecv(); got.status != Empty {
		return got, fiber.Ticket{}
	}
	tk := x.arm(id, x.ch.Source())
	if err := x.ch.ParkRecv(tk, 0); err != nil {
		x.tb.Fatalf("park: %v", err)
	}
	return nil, tk
}

func (x *chanContest) trySend(v byte) any {
	ok, w, err := x.ch.TrySend(v)
	x.deliver(w)
	return sentinel(ok, err)
}

func (x *chanContest) tryRecv() received {
	v, status, w := x.ch.TryRecv()
	x.deliver(w)
	return received{v, status}
}

func (x *chanContest) end(c *client, _ fiber.ID, code fiber.Code) any {
	if _, sends := c.op.Input.(sendOp); sends {
		if code == fiber.Closed {
			return ErrClosed
		}
		return true
	}
	if v, ok := x.ch.Collect(c.t); ok {
		return received{v, Received}
	}
	return received{0, Closed}
}

// forfeits: what was assigned to the dead receiver is what reached the hook.
func (x *chanContest) forfeits(c *client, code fiber.Code) any {
	if _, receives := c.op.Input.(recvOp); receives && code == fiber.OK {
		return received{x.lost, Received}
	}
	return x.end(c, 0, code)
}

func (x *chanContest) died(fiber.ID) []fiber.Wakeup { return nil }

// chanState is the channel of one client that does one thing at a time: at a rendezvous
// the send comes first, and nothing between it and the receive.
type chanState struct {
	buf    string
	closed bool
}

func chanModel(capacity int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return chanState{} },
		Step: func(state, input, output any) (bool, any) {
			s := state.(chanState)
			switch in := input.(type) {
			case sendOp:
				return s.send(capacity, in.v, output, false)
			case trySendOp:
				return s.send(capacity, in.v, output, true)
			case recvOp:
				return s.recv(output.(received), false)
			case tryRecvOp:
				return s.recv(output.(received), true)
			case closeOp:
				return s.close(capacity, output)
			}
			return true, s // a death: a channel has no owner
		},
	}
}

// met reports whether no client is in the middle of a rendezvous.
func (s chanState) met(capacity int) bool { return capacity > 0 || s.buf == "" }

func (s chanState) send(capacity int, v byte, output any, try bool) (bool, chanState) {
	switch {
	case !s.met(capacity):
		return false, s
	case output == ErrClosed:
		return s.closed, s
	case output == false:
		return try && !s.closed && len(s.buf) == capacity, s
	}
	room := max(capacity, 1) // at a rendezvous, between the two steps of it
	return !s.closed && len(s.buf) < room, chanState{s.buf + string([]byte{v}), false}
}

func (s chanState) recv(got received, try bool) (bool, chanState) {
	switch {
	case s.buf != "":
		return got == received{s.buf[0], Received}, chanState{s.buf[1:], s.closed}
	case s.closed:
		return got == received{0, Closed}, s
	}
	return try && got == received{0, Empty}, s
}

func (s chanState) close(capacity int, output any) (bool, chanState) {
	if s.closed {
		return output == ErrClosed, s
	}
	return output == true && s.met(capacity), chanState{s.buf, true}
}

func TestAChannelIsLinearizable(t *testing.T) {
	for _, capacity := range []int{0, 1, 3} {
		t.Run(fmt.Sprintf("capacity %d", capacity), func(t *testing.T) {
			linearizable(t, chanModel(capacity), func(r *trial) { r.on = newChanContest(r, capacity) })
		})
	}
}

// A rendezvous has both at the same time, which a queue of any length would not.
func TestSenderAndReceiverOfAnUnbufferedChannelMeet(t *testing.T) {
	for seed := range uint64(100) {
		r := newTrial(t, seed)
		r.on = newChanContest(r, 0)
		sends := map[byte]porcupine.Operation{}
		ops := r.run()
		for _, op := range ops {
			switch in := op.Input.(type) {
			case sendOp:
				sends[in.v] = op
			case trySendOp:
				sends[in.v] = op
			}
		}
		for _, op := range ops {
			if got, ok := op.Output.(received); ok && got.status == Received {
				if s := sends[got.v]; s.Return < op.Call || op.Return < s.Call {
					t.Fatalf("history %d: %d was sent %d to %d and received %d to %d", seed, got.v, s.Call, s.Return, op.Call, op.Return)
				}
			}
		}
	}
}

// The model must be able to say no.
func TestTheModelOfAChannelRefusesWrongHistories(t *testing.T) {
	one, two, none, end := received{1, Received}, received{2, Received}, received{}, received{0, Closed}
	for name, x := range map[string]struct {
		capacity int
		ops      []any // input and output in turn
		ok       bool
	}{
		"in order":            {2, []any{sendOp{1}, true, sendOp{2}, true, recvOp{}, one, recvOp{}, two}, true},
		"overtaken":           {2, []any{sendOp{1}, true, sendOp{2}, true, recvOp{}, two}, false},
		"twice":               {2, []any{sendOp{1}, true, recvOp{}, one, recvOp{}, one}, false},
		"from nowhere":        {2, []any{recvOp{}, one}, false},
		"overfull":            {1, []any{sendOp{1}, true, sendOp{2}, true}, false},
		"lost":                {1, []any{sendOp{1}, true, tryRecvOp{}, none}, false},
		"full though empty":   {1, []any{trySendOp{1}, false}, false},
		"drained first":       {1, []any{sendOp{1}, true, closeOp{}, true, recvOp{}, one, recvOp{}, end}, true},
		"closed first":        {1, []any{sendOp{1}, true, closeOp{}, true, recvOp{}, end}, false},
		"success after close": {1, []any{closeOp{}, true, sendOp{1}, true}, false},
		"closed twice":        {1, []any{closeOp{}, true, closeOp{}, true}, false},
		"a meeting disturbed": {0, []any{sendOp{1}, true, sendOp{2}, true, recvOp{}, one, recvOp{}, two}, false},
		"a zero value":        {1, []any{sendOp{0}, true, recvOp{}, received{0, Received}}, true},
	} {
		is(t, name, porcupine.CheckOperations(chanModel(x.capacity), sequential(x.ops)), x.ok)
	}
}
