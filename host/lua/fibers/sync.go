package fibers

import (
	"maps"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// The objects of package wait. Each row of the table has the name of the type, what a hint
// calls an object, how a new one is made, and the methods.

// named is an object with a name for reports.
type named interface {
	Name() string
	SetName(string)
}

// binding is one row: it makes the type, and returns its name and the constructor.
type binding interface {
	bind(e *env) (name string, constructor glua.LGFunction)
}

// row is the binding of a type.
type row[T named] struct {
	kind, self  string
	create      func(e *env, L *glua.LState) T
	methods     func(*typeOf[T]) functions
	metamethods func(*typeOf[T]) functions // optional
}

func (r row[T]) bind(e *env) (string, glua.LGFunction) {
	t := newType(e, typeSpec[T]{library: "fiber", kind: r.kind, self: r.self, show: T.Name, methods: r.methods, metamethods: r.metamethods})
	return r.kind, func(L *glua.LState) int {
		v := r.create(e, L)
		v.SetName(e.objectName(L))
		return push(L, t.wrap(v))
	}
}

// syncObjects returns the table. What happens to an object when its owner dies is an option of
// the constructor.
func syncObjects() []binding {
	return []binding{
		row[*channel]{"chan", "ch", newChan, chanMethods, chanLength},
		row[*wait.Mutex]{"mutex", "m", newMutex, lockMethods[*wait.Mutex], nil},
		row[*wait.RWMutex]{"rwmutex", "m", newRWMutex, rwmutexMethods, nil},
		row[*wait.Semaphore]{"semaphore", "s", newSemaphore, semaphoreMethods, nil},
		row[*wait.Cond]{"cond", "c", newCond, condMethods, nil},
		row[*wait.Once]{"once", "o", newOnce, onceMethods, nil},
		row[*wait.Timer]{"timer", "t", newTimer, timerMethods, nil},
	}
}

// lockable is a lock that a dead owner leaves poisoned until it is repaired.
type lockable interface {
	stackful.Locker
	Repair() bool
}

func newMutex(e *env, L *glua.LState) *wait.Mutex {
	return wait.NewMutex(ownerDeath(e, L, "poison", "hand_on"))
}

// lockMethods are the methods of every lock.
func lockMethods[T lockable](t *typeOf[T]) functions {
	return functions{
		// m:lock([timeout]) waits for the lock.
		"lock": func(L *glua.LState) int {
			c, m := t.op(L)
			return c.ended(c.locked(true, c.fiber.LockUntil(m, c.deadline(2)), m))
		},
		// m:try_lock() does not wait.
		"try_lock": func(L *glua.LState) int {
			c, m := t.op(L)
			ok, err := c.fiber.TryLock(m)
			return c.tried(ok, c.locked(ok, err, m))
		},
		// m:unlock() passes the lock to the longest-waiting fiber.
		"unlock": func(L *glua.LState) int { c, m := t.op(L); return c.done(c.unlock(m)) },
		// m:repair() makes a poisoned lock usable.
		"repair": t.bool(T.Repair),
		// m:with(f, ...) returns what f returns.
		"with": func(L *glua.LState) int {
			c, m := t.op(L)
			L.CheckFunction(2)
			return c.during(c.locked(true, c.fiber.Lock(m), m), func(now *carrier) error { return now.unlock(m) })
		},
	}
}

func newRWMutex(e *env, L *glua.LState) *wait.RWMutex {
	return wait.NewRWMutex(ownerDeath(e, L, "poison", "hand_on"))
}

func rwmutexMethods(t *typeOf[*wait.RWMutex]) functions {
	methods := lockMethods(t)
	maps.Copy(methods, functions{
		// m:rlock([timeout]) waits for the lock as a reader.
		"rlock": func(L *glua.LState) int {
			c, m := t.op(L)
			return c.ended(c.readLocked(true, c.fiber.RLockUntil(m, c.deadline(2)), m))
		},
		"try_rlock": func(L *glua.LState) int {
			c, m := t.op(L)
			ok, err := c.fiber.TryRLock(m)
			return c.tried(ok, c.readLocked(ok, err, m))
		},
		// m:runlock() ends the reading.
		"runlock": func(L *glua.LState) int { c, m := t.op(L); return c.done(c.readUnlock(m)) },
		// m:rwith(f, ...) is with for a reader.
		"rwith": func(L *glua.LState) int {
			c, m := t.op(L)
			L.CheckFunction(2)
			return c.during(c.readLocked(true, c.fiber.RLock(m), m), func(now *carrier) error { return now.readUnlock(m) })
		},
	})
	return methods
}

// maxPermits is more than there can be fibers.
const maxPermits = 1 << 31

func newSemaphore(_ *env, L *glua.LState) *wait.Semaphore {
	return wait.NewSemaphore(integer(L, 1, "permits", L.CheckNumber(1), 1, maxPermits))
}

func semaphoreMethods(t *typeOf[*wait.Semaphore]) functions {
	return functions{
		// s:acquire([n [, timeout]]) waits for permits.
		"acquire": func(L *glua.LState) int {
			c, s := t.op(L)
			n, deadline := permits(L), c.deadline(3)
			return c.ended(t.watch.acquired(true, c.fiber.AcquireUntil(s, n, deadline), s, s))
		},
		// s:try_acquire([n]) does not wait.
		"try_acquire": func(L *glua.LState) int {
			c, s := t.op(L)
			ok, err := c.fiber.TryAcquire(s, permits(L))
			return c.tried(ok, t.watch.acquired(ok, err, s, s))
		},
		// s:release([n]) returns permits that the fiber has.
		"release": func(L *glua.LState) int { c, s := t.op(L); return c.done(c.giveBack(s, permits(L))) },
		// s:with(f, ...) holds one permit while f runs.
		"with": func(L *glua.LState) int {
			c, s := t.op(L)
			L.CheckFunction(2)
			return c.during(t.watch.acquired(true, c.fiber.Acquire(s, 1), s, s), func(now *carrier) error { return now.giveBack(s, 1) })
		},
	}
}

// permits reads a number of permits, by default 1. The semaphore refuses too few of them: its
// error has its name.
func permits(L *glua.LState) int64 {
	n := L.OptNumber(2, 1)
	if -maxPermits <= n && n <= 0 && n == glua.LNumber(int64(n)) {
		return int64(n)
	}
	return integer(L, 2, "permits", n, 1, maxPermits)
}

func newCond(e *env, L *glua.LState) *wait.Cond {
	return wait.NewCond(argument[*wait.Mutex](e, L, 1, "mutex", ""))
}

func condMethods(t *typeOf[*wait.Cond]) functions {
	return functions{
		// c:wait([timeout]) unlocks the mutex meanwhile.
		"wait": func(L *glua.LState) int {
			c, cond := t.op(L)
			deadline := c.deadline(2)
			c.released(cond.Mutex())
			err := c.fiber.AwaitSignal(cond, deadline)
			if err == nil {
				t.watch.acquire(cond)
			}
			// A fiber that waited in vain has the mutex too. A cancelled fiber does not
			// lock it again: it would die as the owner, and poison a mutex whose state
			// is in order.
			if err == stackful.ErrTimeout {
				if failed := c.fiber.Lock(cond.Mutex()); failed != nil {
					err = failed
				}
			}
			if err == nil || err == stackful.ErrTimeout {
				_ = c.locked(true, nil, cond.Mutex())
			}
			return c.ended(err)
		},
		// c:signal() wakes the longest-waiting fiber, c:broadcast() all.
		"signal": func(L *glua.LState) int {
			c, cond := t.op(L)
			t.watch.release(cond)
			return c.done(c.fiber.Signal(cond))
		},
		"broadcast": func(L *glua.LState) int {
			c, cond := t.op(L)
			t.watch.release(cond)
			return c.done(c.fiber.Broadcast(cond))
		},
	}
}

func newOnce(e *env, L *glua.LState) *wait.Once {
	return wait.NewOnce(ownerDeath(e, L, "hand_on", "poison"))
}

func onceMethods(t *typeOf[*wait.Once]) functions {
	return functions{
		// o:run(f [, timeout]) is Go's Do, which is a reserved word in Lua.
		"run": func(L *glua.LState) int {
			c, o := t.op(L)
			fn, deadline := L.CheckFunction(2), c.deadline(3)
			now := c
			err := c.fiber.DoUntil(o, func() error {
				_ = c.back(nil)    // the fiber may have waited for its turn
				t.watch.acquire(o) // of an attempt that has failed
				defer t.watch.release(o)
				L.Push(fn)
				L.Call(0, 0)
				now = t.begin(L) // another fiber, if fn yielded to a coroutine that it resumed
				return nil
			}, deadline)
			if err == nil {
				t.watch.acquire(o)
			}
			return now.ended(err)
		},
		// o:done() returns whether a run has succeeded.
		"done": t.bool(func(o *wait.Once) bool {
			if o.Done() {
				t.watch.acquire(o)
			}
			return o.Done()
		}),
		// o:repair() allows a new attempt after the only one has failed.
		"repair": t.bool((*wait.Once).Repair),
	}
}

// newTimer makes a timer that fires once, after the seconds of argument 1.
func newTimer(e *env, L *glua.LState) *wait.Timer {
	c := e.begin(L)
	at, timer := e.until(L, 1, L.CheckNumber(1)), new(wait.Timer)
	e.watch.release(timer)
	_, err := c.fiber.ResetTimer(timer, at)
	c.check(err)
	return timer
}

func timerMethods(t *typeOf[*wait.Timer]) functions {
	return functions{
		// t:wait([timeout]) waits until the timer has fired.
		"wait": func(L *glua.LState) int {
			c, timer := t.op(L)
			err := c.fiber.WaitTimerUntil(timer, c.deadline(2))
			if err == nil {
				t.watch.acquire(timer)
			}
			return c.ended(err)
		},
		// t:stop() and t:reset(seconds) return whether it was set and had not fired.
		"stop": func(L *glua.LState) int { c, timer := t.op(L); return c.tried(c.fiber.StopTimer(timer)) },
		"reset": func(L *glua.LState) int {
			c, timer := t.op(L)
			t.watch.release(timer)
			return c.tried(c.fiber.ResetTimer(timer, t.until(L, 2, L.CheckNumber(2))))
		},
	}
}

// ownerDeath reads the option owner_death = "poison"|"hand_on": what happens to the object
// when its owner dies. The first of the choices holds without the option.
func ownerDeath(e *env, L *glua.LState, choices ...string) wait.OwnerDeath {
	if choices[e.options(L, 1, 0, "owner_death").choice("owner_death", choices...)] == "poison" {
		return wait.Poison
	}
	return wait.HandOver
}
