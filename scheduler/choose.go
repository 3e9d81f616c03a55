package scheduler

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// On reports whether Config.Choose is set. A host asks it once, and calls Point only then.
func (f Choices) On() bool { return f.core.cfg.Choose != nil }

// Point is for a host whose Config.Choose is set: it calls Point before each operation of the current
// fiber that others can notice. If Point returns true, another fiber is to run first: the host
// yields the current one, and carries out the operation when it runs again. Without Config.Choose it
// returns false. It costs time in proportion to the ready fibers.
func (f Choices) Point() bool {
	c := f.core
	if invariants.On {
		c.checkOwner(op.Yield)
	}
	if !f.On() {
		return false
	}
	if c.cur == c.none {
		c.refuseAs(op.Yield, rule.Executing, "Point is for the current fiber: call it within a slice")
	}
	c.chosen.options, c.chosen.at = append(c.chosen.options[:0], c.curID), append(c.chosen.at[:0], 0)
	f.collect()
	if i := f.ask(ChoosePoint, c.chosen.options); i > 0 {
		c.chosen.next = c.chosen.options[i]
		return true
	}
	f.begin(c.curID)
	return false
}

// Declare says that the host calls Touch for all that its fibers use in common. Without it each step
// may use anything. A host calls it once, if On. It reports whether Config.Touched is set: if not, Touch
// has no effect.
func (f Choices) Declare() bool {
	if invariants.On {
		f.core.checkOwner(op.Yield)
	}
	f.core.chosen.known = true
	return f.core.cfg.Touched != nil
}

// Touch tells Config.Touched that the present step of the current fiber uses these objects, each of
// a type that can be compared; nil is all of them, and a Read is one that the step does not change. Steps
// of two fibers that use no object in common, except such that both only read, may be made in either order.
// The sources of a wait that Arm begins need no call.
func (f Choices) Touch(objects ...any) {
	if invariants.On {
		f.core.checkOwner(op.Yield)
	}
	if len(objects) > 0 {
		f.touched(f.core.Current(), objects)
	}
}

// Read is for Touch: the step reads the object and does not change it.
type Read struct{ Object any }

// Created is for Touch: the step has made the object, which no other step can have used before. To say so
// is not necessary: a search then knows that steps which come before it do not depend on it.
type Created struct{ Object any }

// begin reports that a step begins.
func (f Choices) begin(id fiber.ID) {
	if f.touched(id, nil); !f.core.chosen.known {
		f.touchedAll(id)
	}
}

// Uint64N draws a number below n, or 0 if n is 0: Config.Choose decides, or else the generator (Inspect.Random).
func (f Choices) Uint64N(n uint64) uint64 {
	c := f.core
	if invariants.On {
		c.checkOwner(op.Yield)
	}
	switch {
	case n == 0:
		return 0
	case !f.On():
		return c.rng.Uint64N(n)
	case n == 1:
		return 0
	}
	return uint64(f.answer(Choice{Kind: ChooseNumber, Options: int(n)}))
}

// ask has Config.Choose choose one of the fibers.
func (f Choices) ask(kind ChoiceKind, fibers []fiber.ID) int {
	if len(fibers) < 2 {
		return 0
	}
	return f.answer(Choice{Kind: kind, Options: len(fibers), Fibers: fibers})
}

func (f Choices) answer(of Choice) int {
	c := f.core
	i := f.call(of)
	if i < 0 || i >= of.Options {
		c.refuseAs(op.Poll, rule.ValidArgument, "Config.Choose has chosen %d of %d options: return 0 to %d", i, of.Options, of.Options-1)
	}
	return i
}

func (f Choices) call(of Choice) int {
	defer f.core.mustNotPanic("Config.Choose")
	return f.core.cfg.Choose(of)
}

// collect adds the fibers of the ring that can be mounted to the options.
func (f Choices) collect() {
	c := f.core
	for i := c.ring.head; i != c.ring.tail; i++ {
		slot := c.ring.at(i)
		if h := c.slots.at(slot); c.run().canMount(h, slot) {
			c.chosen.options = append(c.chosen.options, fiber.NewRegularID(slot, h.gen).ID())
			c.chosen.at = append(c.chosen.at, uint32(i-c.ring.head))
		}
	}
}

// draw is runQueue.draw while something is paused, and with Config.Choose. The batch is at its end from
// the beginning, so that no fiber joins it without a look at what pauses it.
func (f Choices) draw() {
	c := f.core
	if f.On() {
		f.drawOne()
		return
	}
	c.chosen.at = c.chosen.at[:0]
	most := uint64(batchSize)
	if c.cfg.OneByOne {
		most = 1
	}
	c.groups.newBatch()
	for i := range min(uint64(c.ring.len()), most) {
		slot := c.ring.at(c.ring.head + i)
		if !c.run().canMount(c.slots.at(slot), slot) || !c.groups.fits(slot) {
			break
		}
		c.groups.selected(slot)
		c.chosen.at = append(c.chosen.at, slot)
	}
	n := len(c.chosen.at)
	c.ring.head += uint64(n)
	c.taken, c.drawn = uint8(batchEnd-n), batchEnd
	for i, slot := range c.chosen.at {
		h := c.slots.at(slot)
		c.ahead[batchEnd-n+i], c.ids[batchEnd-n+i] = h, fiber.NewRegularID(slot, h.gen).ID()
	}
}

// drawOne draws the fiber that Config.Choose chooses. A head that cannot be mounted is left to
// clearHeads first.
func (f Choices) drawOne() {
	c := f.core
	if c.ring.len() == 0 {
		return
	}
	if head := c.ring.at(c.ring.head); !c.run().canMount(c.slots.at(head), head) {
		return
	}
	c.chosen.options, c.chosen.at = c.chosen.options[:0], c.chosen.at[:0]
	f.collect()
	i := slices.Index(c.chosen.options, c.chosen.next)
	if c.chosen.next = 0; i < 0 {
		i = f.ask(ChooseFiber, c.chosen.options)
	}
	slot := c.ring.take(uint64(c.chosen.at[i]))
	if c.pauses.active > 0 {
		c.groups.selected(slot)
	}
	c.taken, c.drawn = batchEnd-1, batchEnd
	c.ahead[c.taken], c.ids[c.taken] = c.slots.at(slot), c.chosen.options[i]
	f.begin(c.ids[c.taken])
}
