package fibers

import (
	glua "github.com/yuin/gopher-lua"
)

// during is what has begun while a function runs: it calls argument 1 with those behind
// it, ends what has begun, and gives what the function gives. It ends it whatever way
// the function ends but one: that a fiber is cancelled or killed in it is a matter for
// the object whose owner dies.
func (h *Host) during(L *glua.LState, end func(now *carrier) error) int {
	defer func() {
		if thrown := recover(); thrown != nil { // a Lua error, on its way with its traceback; a cancel or kill is nil
			if now := h.caller(L); now != nil {
				now.heed(end(now)) // the function may have ended it: then its error is the one to know
			}
			panic(thrown)
		}
	}()
	L.Call(L.GetTop()-1, glua.MultRet)
	now := h.self(L) // the function may have yielded to a coroutine that another fiber resumed
	h.check(L, now.back(end(now)))
	return L.GetTop()
}

// shield is fiber.shield(f, ...): while f runs, a cancel of the fiber waits. It is told
// as soon as f is over: a program that is always behind a shield when its slice ends is
// cancelled all the same.
func (h *Host) shield(L *glua.LState) int {
	c := h.self(L)
	L.CheckFunction(1)
	h.rt.Scheduler().Unwind().Mask()
	return h.during(L, func(now *carrier) error {
		if c.unmasks++; now != c {
			return nil
		}
		c.unmask()
		return c.fiber.Checkpoint()
	})
}

// unmask ends the shields that are over. The last instructions of one may have run in
// another fiber, and then it ends when the fiber it was for is up again.
func (c *carrier) unmask() {
	for ; c.unmasks > 0; c.unmasks-- {
		c.host.rt.Scheduler().Unwind().Unmask()
	}
}
