package fibers

import "github.com/selvage-dev/selvage/wait"

// Locking and unlocking, with what they order.

// locked is the end of a wait for a lock, or of an attempt.
func (c call) locked(ok bool, err error, m lockable) error {
	return c.env.watch.acquired(ok, err, m, m, readers{m.Source()})
}

func (c *carrier) unlock(m lockable) error {
	c.released(m)
	return c.fiber.Unlock(m)
}

// released is that a fiber is about to unlock.
func (c *carrier) released(m lockable) { c.env.watch.release(m) }

func (c call) readLocked(ok bool, err error, m *wait.RWMutex) error {
	return c.env.watch.acquired(ok, err, readers{m.Source()}, lockable(m))
}

func (c *carrier) readUnlock(m *wait.RWMutex) error {
	c.env.watch.release(readers{m.Source()})
	return c.fiber.RUnlock(m)
}

// giveBack releases permits of a semaphore.
func (c *carrier) giveBack(s *wait.Semaphore, n int64) error {
	c.env.watch.release(s)
	return c.fiber.Release(s, n)
}
