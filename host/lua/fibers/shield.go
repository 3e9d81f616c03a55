package fibers

import (
	glua "github.com/yuin/gopher-lua"
)

// during calls the Lua function in argument 1 with the arguments behind it, then end, and
// returns the results of the function. If the function raises an error, end is called before
// the error goes on. If the fiber is cancelled or killed in the function, end is not called:
// the object that the fiber owns handles the death of its owner.
//
// end gets the carrier of the fiber that executes then. It is another one if the function
// yielded to a coroutine that another fiber resumed.
func (e *env) during(L *glua.LState, end func(now *carrier) error) int {
	defer func() {
		if thrown := recover(); thrown != nil { // a Lua error with its traceback; nil if the fiber unwinds
			if now := e.caller(L); now != nil {
				now.unwindIf(end(now)) // any other error of end is less important than thrown
			}
			panic(thrown)
		}
	}()
	L.Call(L.GetTop()-1, glua.MultRet)
	now := e.begin(L)
	now.check(end(now.carrier))
	return L.GetTop()
}

// shield is fiber.shield(f, ...): a cancellation of the fiber is delayed while f runs. It takes
// effect when f returns, so that a program which is inside a shield at the end of each of its
// time slices is cancelled too.
func (t *tasks) shield(L *glua.LState) int {
	c := t.self(L)
	L.CheckFunction(1)
	t.rt.Scheduler().Unwind().Mask()
	return t.during(L, func(now *carrier) error {
		if c.unmasks++; now != c {
			return nil
		}
		c.unmask()
		return c.fiber.Checkpoint()
	})
}

// unmask ends the shields that are over. Only the fiber itself can do that: if the last
// instructions of a shield ran on another fiber, the shield ends when its own fiber runs next.
func (c *carrier) unmask() {
	for ; c.unmasks > 0; c.unmasks-- {
		c.env.rt.Scheduler().Unwind().Unmask()
	}
}
