package scheduler

import "github.com/selvage-dev/selvage/fiber"

// trampoline stands for one synchronous call from native code. Trampolines have a pool of
// their own and never enter the ready queue (I4): the chain they are part of is mounted,
// carried and parked as one, by its root. The chain is a list from the top down: the root's
// record has the top, each trampoline the one below it.
type trampoline struct {
	header
	caller uint32 // trampoline index+1 of the call below; 0: the root itself
	root   uint32 // slot of the root
}

// trampolines is the bounded pool of native calls. Its memory grows with the most calls that
// were in flight at once, and stays. Every slot is acquired, free or retired: len(all) = live
// + len(free) + retired (I5).
type trampolines struct {
	all   []*trampoline
	free  []uint32
	limit int
	// A slot is retired after this generation.
	lives   uint32
	live    int
	retired uint64 // slots at their last generation, never used again
}

func (p *trampolines) find(id fiber.ID) *header {
	if t := p.get(id); t != nil {
		return &t.header
	}
	return nil
}

// get is a trampoline in flight, or nil: the ID may be over, or never have been given out.
func (p *trampolines) get(id fiber.ID) *trampoline {
	slot := id.Index()
	if slot >= uint32(len(p.all)) {
		return nil
	}
	t := p.all[slot]
	if t.gen != id.Generation() || t.state() == fiber.Dead {
		return nil
	}
	return t
}

// take hands out a Dead trampoline, the one that was given back last, or false at the limit.
// It counts nothing yet: chains.push takes the next generation and counts it as live.
func (p *trampolines) take() (uint32, *trampoline, bool) {
	if n := len(p.free); n > 0 {
		slot := p.free[n-1]
		p.free = p.free[:n-1]
		return slot, p.all[slot], true
	}
	if len(p.all) == p.limit {
		return 0, nil, false
	}
	p.all = append(p.all, &trampoline{header: header{word: tramp}})
	return uint32(len(p.all) - 1), p.all[len(p.all)-1], true
}

// give takes a Dead trampoline back, or retires it at its last generation (I5). Its record
// has been freed, and the chain no longer leads to it.
func (p *trampolines) give(slot uint32, t *trampoline) {
	p.live--
	t.word &= stateMask | tramp
	t.ref, t.value, t.caller, t.root = 0, 0, 0, 0
	if t.gen == p.lives {
		p.retired++
		return
	}
	p.free = append(p.free, slot)
}

// id is the ID of the last call in a slot, in flight or over.
func (p *trampolines) id(slot uint32) fiber.TrampolineID {
	return fiber.NewTrampolineID(slot, p.all[slot].gen)
}

// raw is the wire form of a slot of this pool.
func (p *trampolines) raw(slot uint32) uint32 { return uint32(p.id(slot).ID().Raw()) }

// pin is a chain whose frames lie under a pump. Its root is Running meanwhile, so it keeps
// its slot and its generation: header and ID stay valid until it is unpinned (I2).
type pin struct {
	root *header
	id   fiber.ID // the root's
}
