package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// checkPins: what is pinned under pumps are Running roots in native calls, each once (I2). A
// pin has the root's ID and its address; both must name the same slot, because Unpin makes them
// the current fiber. checkPlace compares the state of the pinned roots.
func (v *verifier) checkPins() {
	c := v.core
	for _, p := range c.pins {
		slot := p.id.Index()
		if slot >= c.slots.used || p.root != c.slots.at(slot) || v.pinned[slot] || !p.root.bars() {
			v.broken(rule.I2, "%v is pinned twice, or is in no native call that could be", p.id)
		}
		v.pinned[slot] = true
	}
}

// checkChain: a root and the calls of its chain wait together or run together (I2, I4).
//
// A parked root is Blocked on its callee. Any other root has Running calls: its chain is
// mounted, pinned or lent, or carried while the root is in the ready queue. A root that nests
// never parks under a call, so it is Running during its calls and shows both bits of barred. The
// armed and latched bits of any other root agree with those of its innermost call while it is
// current, because fast paths look at the root only (I13).
func (v *verifier) checkChain(h *header, slot uint32, id fiber.ID) {
	c := v.core
	s := c.reg.ext(h)
	if h.has(chained) != (s != nil && s.top != 0) {
		v.broken(rule.I4, "%v: chained %v without the chain to match", id, h.has(chained))
	}
	if !h.has(chained) {
		if h.has(onCallee) {
			v.broken(rule.I2, "%v waits for a callee it has not", id)
		}
		return
	}
	state := fiber.Running
	if h.state() == fiber.Blocked {
		state = fiber.Blocked
	}
	if h.has(onCallee) != (state == fiber.Blocked) || !h.has(frames) {
		v.broken(rule.I2, "%v is %v under its callee; it waits for it: %v", id, h.state(), h.has(onCallee))
	}
	if h.has(nests) && (h.state() != fiber.Running || h.word&barred != barred) {
		v.broken(rule.I2, "%v nests and is %v in a native call, flags %#x", id, h.state(), uint32(h.word))
	}
	v.checkMembers(s.top, slot, id, state)
	if c.cur == h && !h.has(nests) && (h.word^c.tramps.all[s.top-1].word)&(armed|latched) != 0 {
		v.broken(rule.I13, "%v does not show what is armed at the top of its chain", id)
	}
}

// checkMembers: the calls of a chain are strictly nested in one root and have its state
// (I4). Only the innermost call of a pinned chain may wait while the root is Running. The walk
// ends when it has met more calls than are acquired, so callers that form a cycle are reported
// and not followed. No call is in two chains: each must name this root.
func (v *verifier) checkMembers(top, slot uint32, id fiber.ID, state fiber.State) {
	c := v.core
	for at := top; at != 0; at = c.tramps.all[at-1].caller {
		if v.chainMembers++; v.chainMembers > c.tramps.live || at > uint32(len(c.tramps.all)) {
			v.broken(rule.I4, "the chain of %v has no end", id)
		}
		t := c.tramps.all[at-1]
		waits := v.pinned[slot] && at == top && t.state() == fiber.Blocked
		if t.root != slot || t.state() != state && !waits || t.has(onCallee) != (state == fiber.Blocked && at != top) {
			v.broken(rule.I4, "t%d, %v, does not fit the chain of %v", at-1, t.state(), id)
		}
	}
}

// checkTrampoline: a trampoline is never in the ready queue and has no flags of a root
// (I4), and does not wait for I/O (I8). Whether a living one is in a chain is seen by counting:
// checkChainCounts.
func (v *verifier) checkTrampoline(t *trampoline, slot uint32) {
	id := v.core.tramps.id(slot).ID()
	switch {
	case !t.has(tramp) || t.state() == fiber.Runnable:
		v.broken(rule.I4, "%v is %v: a trampoline is never in the ready queue", id, t.state())
	case t.state() == fiber.Dead:
		if t.word != tramp {
			v.broken(rule.I4, "dead %v keeps flags %#x", id, uint32(t.word))
		}
		return
	case t.has(killPending | cancelPending | reapable | chained | frames | nests | fatal | movable):
		v.broken(rule.I4, "%v keeps flags of a root: %#x", id, uint32(t.word))
	case t.kind() == fiber.IO:
		v.broken(rule.I8, "%v waits for I/O itself", id)
	}
	v.checkHeader(&t.header, id)
	v.checkWait(&t.header, id)
}

// checkChainCounts: every acquired trampoline is in a chain (I4), and every slot is
// acquired, free or retired (I5), so that no call leaks a slot of the bounded pool.
func (v *verifier) checkChainCounts() {
	p := &v.core.tramps
	switch {
	case v.chainMembers != p.live:
		v.broken(rule.I4, "%d trampolines are in chains, %d are acquired", v.chainMembers, p.live)
	case len(p.all) != len(p.free)+p.live+int(p.retired):
		v.broken(rule.I5, "%d trampolines: %d free, %d acquired, %d retired", len(p.all), len(p.free), p.live, p.retired)
	}
}
