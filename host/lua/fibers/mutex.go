package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// mutex is a lock for one fiber at a time.
type mutex struct {
	*wait.Mutex
	host *Host
}

func (m *mutex) lock() stackful.Locker { return m.Mutex }

// lockable is an object with the methods that every lock has.
type lockable interface {
	homely
	lock() stackful.Locker
	Repair() bool
}

// lockMethods are those methods for one kind of lock.
func lockMethods[T lockable](h *Host, kind, name string) map[string]glua.LGFunction {
	of := func(L *glua.LState) (stackful.Locker, *carrier) {
		return receiver[T](h, L, kind, name).lock(), h.self(L)
	}
	return map[string]glua.LGFunction{
		"lock": func(L *glua.LState) int {
			m, c := of(L)
			deadline := h.deadline(L, 2)
			return h.ended(L, c, c.fiber.LockUntil(m, deadline))
		},
		"try_lock": func(L *glua.LState) int {
			m, c := of(L)
			ok, err := c.fiber.TryLock(m)
			return h.tried(L, c, ok, err)
		},
		"unlock": func(L *glua.LState) int {
			m, c := of(L)
			h.check(L, c.back(c.fiber.Unlock(m)))
			return 0
		},
		"repair": func(L *glua.LState) int {
			L.Push(glua.LBool(receiver[T](h, L, kind, name).Repair()))
			return 1
		},
		"with": func(L *glua.LState) int {
			m, c := of(L)
			L.CheckFunction(2)
			h.check(L, c.back(c.fiber.Lock(m)))
			L.Remove(1)
			return h.during(L, func(now *carrier) error { return now.fiber.Unlock(m) })
		},
	}
}

func (h *Host) openMutex() {
	h.types.mutex = h.newType("fiber.mutex", lockMethods[*mutex](h, "mutex", "m"))
	h.nameType(h.types.mutex, "mutex", func(L *glua.LState) string { return receiver[*mutex](h, L, "mutex", "m").Name() })
}

func (h *Host) newMutex(L *glua.LState) int {
	m := &mutex{wait.NewMutex(ownerDeath(L, wait.Poison)), h}
	m.SetName(h.objectName(L))
	L.Push(object(m, h.types.mutex))
	return 1
}

// ownerDeath is the option of fiber.mutex{ owner_death = "poison"|"hand_on" }: what
// becomes of the lock if its owner dies with it. The policy is what it is without the option.
func ownerDeath(L *glua.LState, policy wait.OwnerDeath) wait.OwnerDeath {
	options := L.OptTable(1, L.NewTable())
	for key, value := options.Next(glua.LNil); key != glua.LNil; key, value = options.Next(key) {
		switch option := word(key) + " = " + word(value); option {
		case "owner_death = poison":
			policy = wait.Poison
		case "owner_death = hand_on":
			policy = wait.HandOn
		default:
			L.ArgError(1, option+`: want owner_death = "poison" or "hand_on"`)
		}
	}
	return policy
}
