package scheduler

// carryOutOrders cancels and kills the fibers that links have named. Those deaths may decide
// more, in the order of the decisions.
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
	clear(c.orders)
	c.orders = c.orders[:0]
}
