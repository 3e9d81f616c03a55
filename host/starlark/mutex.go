package starlark

import (
	"fmt"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/wait"
)

func newMutexKind() *kind[*wait.Mutex] {
	return &kind[*wait.Mutex]{
		name: "mutex", show: (*wait.Mutex).Name,
		methods: map[string]func(*call, *wait.Mutex) (gostar.Value, error){
			"lock": lock, "try_lock": tryLock, "unlock": unlock, "hold": hold, "repair": repair,
		},
	}
}

// newMutex is fiber.mutex(owner_death="poison", name="").
func newMutex(c *call) (gostar.Value, error) {
	death, name := "poison", ""
	if err := c.unpack("owner_death?", &death, "name?", &name); err != nil {
		return nil, err
	}
	policy, ok := map[string]wait.OwnerDeath{"poison": wait.Poison, "hand_on": wait.HandOver}[death]
	if !ok {
		return nil, fmt.Errorf(`mutex: owner_death is %.100q: want "poison" or "hand_on"`, death)
	}
	m := wait.NewMutex(policy)
	m.SetName(c.named(name))
	return &object[*wait.Mutex]{m, c.host.kinds.mutex}, nil
}

// lock is m.lock(timeout=None): True, or fiber.TIMEOUT.
func lock(c *call, m *wait.Mutex) (gostar.Value, error) {
	var limit timeout
	if err := c.unpack("timeout?", &limit); err != nil {
		return nil, err
	}
	deadline, err := c.deadline(limit)
	if err != nil {
		return nil, err
	}
	return c.ended(gostar.True, c.fiber.LockUntil(m, deadline))
}

// tryLock is m.try_lock(): whether it is locked now.
func tryLock(c *call, m *wait.Mutex) (gostar.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	ok, err := c.fiber.TryLock(m)
	return gostar.Bool(ok), err
}

// unlock is m.unlock().
func unlock(c *call, m *wait.Mutex) (gostar.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	return gostar.None, c.fiber.Unlock(m)
}

// hold is m.hold(f, *args): what f returns, called while the fiber has the lock. If f fails, the lock stays with the fiber,
// which ends.
func hold(c *call, m *wait.Mutex) (gostar.Value, error) {
	fn, args, err := c.callee()
	if err != nil {
		return nil, err
	}
	if err := c.fiber.Lock(m); err != nil {
		return nil, err
	}
	v, err := gostar.Call(c.star, fn, args, nil)
	if err != nil {
		return nil, err
	}
	c.settle()
	return v, c.fiber.Unlock(m)
}

// repair is m.repair(): whether it was poisoned.
func repair(c *call, m *wait.Mutex) (gostar.Value, error) {
	return gostar.Bool(m.Repair()), c.unpack()
}
