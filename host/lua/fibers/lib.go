package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// types are the metatables of the library's objects.
type types struct {
	task, channel, mutex, rwmutex, semaphore, cond, once, group, timer, scope, listener, conn, server, body, reply, island, port, sender *glua.LTable
}

// open makes the library a global and a module.
func (h *Host) open() {
	L := h.state.Base()
	for _, open := range []func(){
		h.openTask, h.openChan, h.openMutex, h.openRWMutex, h.openSemaphore, h.openCond, h.openOnce, h.openGroup,
		h.openTimer, h.openScope, h.openRequire, h.openOutside, h.openIsland, h.openPort,
	} {
		open()
	}
	lib := functionTable(L, map[string]glua.LGFunction{
		"spawn": h.spawn, "self": h.selfTask, "yield": h.yield, "sleep": h.sleep, "now": h.now, "report": h.report,
		"chan": h.newChan, "select": h.selectCases, "mutex": h.newMutex, "rwmutex": h.newRWMutex,
		"semaphore": h.newSemaphore, "cond": h.newCond, "once": h.newOnce, "group": h.newGroup, "shield": h.shield,
		"timer": h.newTimer, "scope": h.scope, "island": h.newIsland, "port": h.newPort,
	})
	L.SetGlobal("fiber", lib)
	L.SetField(L.GetField(L.GetGlobal("package"), "loaded"), "fiber", lib)
}

// newType makes a metatable that a program can neither read nor replace.
func (h *Host) newType(name string, methods map[string]glua.LGFunction) *glua.LTable {
	L := h.state.Base()
	mt := L.NewTable()
	mt.RawSetString("__metatable", glua.LString(name))
	mt.RawSetString("__index", functionTable(L, methods))
	return mt
}

// nameType makes tostring tell an object's name, which unlike an address is the same in
// every run.
func (h *Host) nameType(mt *glua.LTable, kind string, name func(*glua.LState) string) {
	mt.RawSetString("__tostring", h.state.Base().NewFunction(func(L *glua.LState) int {
		L.Push(glua.LString(kind + ": " + name(L)))
		return 1
	}))
}

func object(v any, mt *glua.LTable) *glua.LUserData {
	return &glua.LUserData{Value: v, Metatable: mt}
}

func (h *Host) yield(L *glua.LState) int {
	c := h.self(L)
	h.check(L, c.back(c.fiber.Yield()))
	return 0
}

func (h *Host) sleep(L *glua.LState) int {
	c := h.self(L)
	d, err := wait.Seconds(float64(L.CheckNumber(1)))
	if err != nil {
		L.ArgError(1, plain(err))
	}
	h.check(L, c.back(c.fiber.Sleep(d)))
	return 0
}

func (h *Host) now(L *glua.LState) int {
	L.Push(glua.LNumber(float64(h.rt.Scheduler().Now()) / 1e9))
	return 1
}

// deadline reads an optional timeout in seconds; nil and none mean for ever.
func (h *Host) deadline(L *glua.LState, arg int) fiber.Time {
	v := L.Get(arg)
	if v == glua.LNil {
		return fiber.Never
	}
	n, ok := v.(glua.LNumber)
	if !ok {
		L.ArgError(arg, "timeout: number of seconds expected, got "+v.Type().String())
	}
	return h.until(L, arg, n)
}

func (h *Host) until(L *glua.LState, arg int, seconds glua.LNumber) fiber.Time {
	d, err := wait.Seconds(float64(seconds))
	if err != nil {
		L.ArgError(arg, plain(err))
	}
	at, err := wait.Deadline(h.rt.Scheduler().Now(), d)
	if err != nil {
		L.ArgError(arg, plain(err))
	}
	return at
}

// checkHost refuses an object of another Host, whose fibers belong to another scheduler:
// given to a function of this one, or used by its own functions.
func (h *Host) checkHost(L *glua.LState, kind string, owner *Host) {
	if owner != h || L.G != h.state.Base().G {
		L.RaiseError("this %s belongs to another Lua state", kind)
	}
}

// check raises an operation's error at the position of the call.
func (h *Host) check(L *glua.LState, err error) {
	if err != nil {
		h.raise(L, err)
	}
}

func (h *Host) raise(L *glua.LState, err error) {
	var refused *wait.Error
	if errors.As(err, &refused) {
		L.RaiseError("%s: %s: %v", refused.Op, refused.Object, refused.Err)
	}
	L.RaiseError("%s", plain(err))
}

// timedOut pushes nil, "timeout" if that is what the error is, and raises any other.
func (h *Host) timedOut(L *glua.LState, err error) bool {
	if !errors.Is(err, stackful.ErrTimeout) {
		h.check(L, err)
		return false
	}
	L.Push(glua.LNil)
	L.Push(glua.LString("timeout"))
	return true
}

// ended gives true, or nil, "timeout", after a wait.
func (h *Host) ended(L *glua.LState, c *carrier, err error) int {
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	L.Push(glua.LTrue)
	return 1
}

// tried gives whether something could be done without waiting.
func (h *Host) tried(L *glua.LState, c *carrier, ok bool, err error) int {
	h.check(L, c.back(err))
	L.Push(glua.LBool(ok))
	return 1
}

// copied is the argument list from the given position on, in memory of its own: the
// Lua stack it stands on is reused while the fiber is parked.
func copied(L *glua.LState, from int) []glua.LValue {
	values := make([]glua.LValue, 0, max(L.GetTop()-from+1, 0))
	for i := from; i <= L.GetTop(); i++ {
		values = append(values, L.Get(i))
	}
	return values
}
