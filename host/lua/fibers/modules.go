package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wait"
)

// modules makes require wait for a module that another fiber is loading.
type modules struct {
	*env
	native  glua.LGFunction // gopher-lua's require
	loading map[string]*loadingModule
}

// loadingModule is a module that a fiber is loading. gopher-lua's require marks it until it is
// loaded, to detect loops, and would report a loop to a second fiber. So that fiber waits.
type loadingModule struct {
	lock   *wait.Mutex
	loader *carrier // the fiber that has the lock
}

// openRequire replaces require.
func openRequire(e *env) {
	require := e.state.Base().GetGlobal("require").(*glua.LFunction)
	m := &modules{e, require.GFunction, map[string]*loadingModule{}}
	require.GFunction = m.require
}

func (m *modules) require(L *glua.LState) int {
	c := m.caller(L)
	if c == nil || L.GetTop() == 0 {
		return m.native(L)
	}
	name := L.CheckString(1)
	mod := m.loading[name]
	switch {
	case mod == nil && glua.LVAsBool(m.loaded().RawGetString(name)), mod.waitsFor(c):
		m.watch.acquire(name)
		return m.native(L) // it is loaded, or this is a loop: no wait
	case mod == nil:
		mod = &loadingModule{lock: wait.NewMutex(wait.HandOver)}
		mod.lock.SetName("require " + name)
		m.loading[name] = mod
	}
	return m.loadOnce(call{c, L}, mod, name)
}

// loadOnce calls gopher-lua's require while no other fiber loads the module.
func (m *modules) loadOnce(c call, mod *loadingModule, name string) int {
	c.loads = mod
	c.check(c.fiber.Lock(mod.lock))
	m.watch.acquire(name)
	c.loads, mod.loader = nil, c.carrier
	stopped := true
	defer func() {
		thrown := recover()
		if stopped && thrown == nil { // cancelled or killed: another fiber may try
			m.loaded().RawSetString(name, glua.LNil)
		}
		mod.loader = nil
		if mod.lock.Waiting() == 0 {
			delete(m.loading, name)
		}
		// Another fiber may finish the coroutine that this ran in. If no fiber can resume
		// it, there is no caller.
		if now := m.caller(c.L); now != nil {
			m.watch.release(name)
			_ = now.fiber.Unlock(mod.lock) // an error means that this is not the owner
		}
		if thrown != nil {
			panic(thrown)
		}
	}()
	n := m.native(c.L)
	stopped = false
	return n
}

// waitsFor returns whether the module cannot be loaded before c continues: c loads it, or its
// loader waits for such a module.
func (mod *loadingModule) waitsFor(c *carrier) bool {
	for mod != nil && mod.loader != nil {
		if mod.loader == c {
			return true
		}
		mod = mod.loader.loads
	}
	return false
}
