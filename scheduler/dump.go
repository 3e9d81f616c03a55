package scheduler

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
)

// Dump is the whole state but the payloads as text: equal dumps mean that an
// operation changed nothing. Tests compare them; a person can read them. It includes what no
// operation may leave behind (wake-ups to be delivered, orders), the free lists, because
// their order decides later IDs, and the placeholder for no fiber, to which a mistake could
// write. Queued commands of other goroutines are not part of it: they have not happened.
// O(slots); the form may change.
func (f Inspect) Dump() string {
	c := f.core
	var b strings.Builder
	fmt.Fprintf(&b, "now %v, current %v, executing %v, %d waits armed\n", c.now, c.Current(), c.executingID(), c.seq&fiber.MaxSeq)
	b.WriteString("ready")
	for slot := range c.run().all() {
		fmt.Fprintf(&b, " f%d", slot)
	}
	fmt.Fprintf(&b, " (batch of %d), to be woken %v, orders %v\n", c.drawn-c.taken, c.wakeups, c.orders)
	for slot := range uint32(len(c.pauses.slots)) {
		if c.pauses.isHeld(slot) {
			fmt.Fprintf(&b, "held f%d %+v\n", slot, c.pauses.slots[slot])
		}
	}
	for _, p := range c.pins {
		fmt.Fprintf(&b, "pinned %v\n", p.id)
	}
	if c.lent > 0 {
		fmt.Fprintf(&b, "%d lent\n", c.lent)
	}
	if len(c.departed) > 0 {
		fmt.Fprintf(&b, "absent %v\n", c.departed)
	}
	dump(&b, c, &c.nobody, 0)
	for slot := range c.slots.used {
		h := c.slots.at(slot)
		dump(&b, c, h, fiber.NewRegularID(slot, h.gen).ID())
	}
	for slot, t := range c.tramps.all {
		dump(&b, c, &t.header, c.tramps.id(uint32(slot)).ID())
		fmt.Fprintf(&b, "    caller %d, root f%d\n", t.caller, t.root)
	}
	for i := range c.reg.sources.entries {
		e := &c.reg.sources.entries[i]
		if e.refs > 0 {
			fmt.Fprintf(&b, "source %d: %s, at %d, %d waits\n", i+1, nameOf(e.source), e.source.Anchored().Slot(), e.refs)
		}
	}
	fmt.Fprintf(&b, "timers %d live; io %d awaited, %d outstanding, %+v; external %d\n",
		c.timers.live, c.io.Awaiting(), c.io.Outstanding(), c.io.Counters(), c.external)
	if t := c.groups; t != nil {
		fmt.Fprintf(&b, "groups of slots %v, free %v; %d limits\n", t.slots, t.free, t.clocks)
		for _, g := range t.all {
			if g != nil {
				fmt.Fprintf(&b, "    group %d: %+v, %+v\n", g.index, g.account.Spent(), g.pace)
			}
		}
		fmt.Fprintf(&b, "round %d of shares, %d are used up\n", t.number, len(t.spent))
	}
	fmt.Fprintf(&b, "free f%d t%v; %d calls; sides %v; sources %d; %d alarms %v; %+v; %d failures unobserved; %d transitions\n",
		c.slots.free, c.tramps.free, c.tramps.live, c.reg.exts.free, c.reg.sources.free, c.timers.alarms.count, c.timers.alarms.setting, c.Inspect().Counts(), len(c.unobserved), c.step)
	return b.String()
}

// dump writes a header as it is, in numbers: a flag that has no name here must show too.
// Sources are asked whether they hold the ticket, because registrations are state that the
// scheduler does not keep.
func dump(b *strings.Builder, c *Core, h *header, id fiber.ID) {
	fmt.Fprintf(b, "%v %v seq %d ref %d value %d word %#x\n", id, h.state(), h.seq, h.ref, h.value, uint32(h.word))
	if s := c.reg.ext(h); s != nil {
		fmt.Fprintf(b, "    %+v\n", *s)
	}
	for _, slot := range c.reg.slotsOf(h, nil) {
		held := c.reg.sources.at(slot).source.Holds(fiber.Ticket{ID: id, Seq: h.seq})
		fmt.Fprintf(b, "    registered with source %d: %v\n", slot, held)
	}
}
