package scheduler

// carryOutOrders cancels and kills the fibers that links have named. Those deaths may decide
// more, in the order of the decisions: the loop reads the length anew, so a scope whose end
// kills a million fibers is a long queue, not a deep recursion. It ends, because each fiber
// dies once and an order for a fiber that has ended does nothing.
//
// Each order's wake-ups are delivered before the next order, as if the orders were operations
// of their own. No fiber runs in between.
func (c *Core) carryOutOrders() {
	for i := 0; i < len(c.orders); i++ {
		o := c.orders[i]
		if o.Kill {
			_ = c.kill(o.ID, o.Cause) // a fiber that has ended needs no order
		} else {
			_ = c.cancelFiber(o.ID, o.Cause)
		}
		c.deliverWakeups()
	}
	// The memory is kept for the next scope, the causes are not.
	clear(c.orders)
	c.orders = c.orders[:0]
}
