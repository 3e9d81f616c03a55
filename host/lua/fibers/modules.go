package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wait"
)

// module is one that a fiber loads. require marks it meanwhile, to notice loops, and
// would take a second fiber that asks for the module for one: so that fiber waits.
type module struct {
	lock   *wait.Mutex
	loader *carrier
}

// openRequire makes require wait for a module that another fiber loads.
func (h *Host) openRequire() {
	L := h.state.Base()
	require := L.GetGlobal("require").(*glua.LFunction)
	native := require.GFunction
	require.GFunction = func(L *glua.LState) int {
		c := h.caller(L)
		if c == nil || L.GetTop() == 0 {
			return native(L)
		}
		name := L.CheckString(1)
		m := h.loading[name]
		switch {
		case m == nil && glua.LVAsBool(h.loaded().RawGetString(name)), m.waitsFor(c):
			return native(L) // at once: it is there, or this is a loop
		case m == nil:
			m = &module{lock: wait.NewMutex(wait.HandOver)}
			m.lock.SetName("require " + name)
			h.loading[name] = m
		}
		return h.loadOnce(L, c, m, name, native)
	}
}

// loadOnce calls require while no other fiber loads the module.
func (h *Host) loadOnce(L *glua.LState, c *carrier, m *module, name string, native glua.LGFunction) int {
	c.wants = m
	h.check(L, c.back(c.fiber.Lock(m.lock)))
	c.wants, m.loader = nil, c
	stopped := true
	defer func() {
		thrown := recover()
		if stopped && thrown == nil { // cancelled or killed: another may try
			h.loaded().RawSetString(name, glua.LNil)
		}
		m.loader = nil
		if m.lock.Waiting() == 0 {
			delete(h.loading, name)
		}
		if now := h.caller(L); now != nil { // none: the coroutine this ran in is lost
			_ = now.fiber.Unlock(m.lock) // another fiber may have finished that coroutine
		}
		if thrown != nil {
			panic(thrown)
		}
	}()
	n := native(L)
	stopped = false
	return n
}

// waitsFor tells whether the module can only come when c goes on: c loads it, or its
// loader waits for such a one.
func (m *module) waitsFor(c *carrier) bool {
	for m != nil && m.loader != nil {
		if m.loader == c {
			return true
		}
		m = m.loader.wants
	}
	return false
}

// loaded is the table of the modules that are there, and of the marks.
func (h *Host) loaded() *glua.LTable {
	L := h.state.Base()
	return L.GetField(L.Get(glua.RegistryIndex), "_LOADED").(*glua.LTable)
}
