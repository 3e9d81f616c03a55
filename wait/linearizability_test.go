package wait

import (
	"math/rand/v2"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/long"
)

// trial is one random history: some fibers do operations on one object, each of which
// is called, begun, perhaps parked, and returns at steps of their own, so that those of
// different fibers overlap in every way. Now and then one gives up or dies.
type trial struct {
	*fake
	rng     *rand.Rand
	clock   int64
	clients [5]client
	done    []porcupine.Operation
	on      contest
}

type client struct {
	life  uint32
	phase clientPhase
	op    porcupine.Operation
	t     fiber.Ticket
}

type clientPhase uint8

const (
	idle clientPhase = iota
	called
	parked
	returning
)

// contest is the object and what fibers do with it.
type contest interface {
	// choose is the input of a client's next operation.
	choose(c *client, id fiber.ID) any
	// begin does it: either the output, or a ticket of the client's that is parked.
	begin(c *client, id fiber.ID) (output any, t fiber.Ticket)
	// end is the output of an operation whose wait ended with the code.
	end(c *client, id fiber.ID, code fiber.Code) any
	// forfeits is the output of an operation whose wait ended with the code, and whose
	// fiber died before it ran again; died tells of an owner's death.
	forfeits(c *client, code fiber.Code) any
	died(id fiber.ID) []fiber.Wakeup
}

func newTrial(tb failer, seed uint64) *trial {
	return &trial{fake: newFake(tb), rng: rand.New(rand.NewPCG(seed, 0))}
}

func (r *trial) id(i int) fiber.ID { return fiber.NewRegularID(uint32(i), r.clients[i].life+1).ID() }

// length is how many operations a history has at least.
const length = 130

func (r *trial) run() []porcupine.Operation {
	for len(r.done) < length {
		r.step(r.rng.IntN(len(r.clients)))
	}
	for i := range r.clients { // let them go home
		for r.clients[i].phase != idle {
			c := &r.clients[i]
			if c.phase == called || c.phase == parked && r.waits[c.t].res.Code == fiber.Pending {
				r.abandon(c)
				continue
			}
			r.step(i)
		}
	}
	return r.done
}

func (r *trial) step(i int) {
	c, id := &r.clients[i], r.id(i)
	r.clock++
	switch c.phase {
	case idle:
		c.op = porcupine.Operation{ClientId: i, Input: r.on.choose(c, id), Call: r.clock}
		c.phase = called
	case called:
		c.phase = returning
		if c.op.Output, c.t = r.on.begin(c, id); !c.t.IsZero() {
			c.phase = parked
		}
	case parked:
		r.stepParked(c, id)
	case returning:
		r.finish(c)
	}
	if r.rng.IntN(40) == 0 {
		r.kill(i)
	}
}

func (r *trial) stepParked(c *client, id fiber.ID) {
	switch pending := r.waits[c.t].res.Code == fiber.Pending; {
	case !pending:
		c.op.Output = r.on.end(c, id, r.claim(c.t).Code)
		c.phase = returning
	case r.rng.IntN(8) == 0:
		r.abandon(c)
	}
}

func (r *trial) finish(c *client) {
	c.op.Return = r.clock
	r.done = append(r.done, c.op)
	c.phase = idle
}

// abandon ends an operation that has no effect: it is in no history.
func (r *trial) abandon(c *client) {
	if c.phase == parked {
		r.timeout(c.t)
		r.claim(c.t)
	}
	c.phase = idle
}

// kill ends a fiber in the middle of whatever it does; another takes its place.
func (r *trial) kill(i int) {
	c, id := &r.clients[i], r.id(i)
	if c.phase == parked {
		code := r.waits[c.t].res.Code
		r.die(c.t)
		if code != fiber.Pending {
			c.op.Output, c.phase = r.on.forfeits(c, code), returning
		}
	}
	r.deliver(r.on.died(id)...)
	if c.phase == returning {
		r.finish(c)
		r.clock++
	}
	r.done = append(r.done, porcupine.Operation{ClientId: i, Input: death{id}, Output: true, Call: r.clock, Return: r.clock})
	c.phase = idle
	c.life++
}

// death is the operation of a fiber that dies: what it held is let go.
type death struct{ id fiber.ID }

// linearizable checks many histories, each of a trial that make prepares.
func linearizable(t *testing.T, model porcupine.Model, make func(r *trial)) {
	histories := uint64(long.Cases(200, 1000))
	operations := 0
	for seed := range histories {
		r := newTrial(t, seed)
		make(r)
		ops := r.run()
		operations += len(ops)
		if !porcupine.CheckOperations(model, ops) {
			t.Fatalf("history %d is not linearizable: %+v", seed, ops)
		}
	}
	t.Logf("%d histories, %d operations", histories, operations)
}
