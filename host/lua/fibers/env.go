package fibers

import (
	"strconv"
	"strings"
	"sync/atomic"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/gotools"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// env is what all libraries of one Host share. Its pointer identifies the Host: an object
// belongs to the env that made it.
type env struct {
	cfg   Config
	rt    *stackful.Runtime
	state *lua.State
	// unobserved reports the failures that no fiber can join, when they happen.
	unobserved fiberio.Unobserved
	vars       []string   // the environment of the program: Config.Access.Env and what os.setenv has changed
	exit       *ExitError // os.exit has been called in this run
	// stopServing ends Serve; nil while it does not run.
	stopServing func()
	exitsThere  atomic.Pointer[func()] // of another island that has called os.exit; the device of endWhenPassed calls it
	guest       *quota.Account         // of the program, and of its islands
	group       *scheduler.Group       // of all fibers here
	shared      bool                   // the program has, or has had, islands
	watched     bool                   // the device of endWhenPassed is there
	named       int                    // objects named so far
	began       fiber.Time             // of the program that runs
	shown       *gotools.Slices        // labels for Go's tools; nil without Config.Runtime.GoTools
	watch       *watcher               // nil without Config.Races and Config.AccessPoints
	codec       bind.Codec
	errors      goErrors
	types       []interface{ metatable() *glua.LTable }
}

// self returns the carrier of the fiber that called a library function. It raises an error
// in Lua code that no fiber runs.
func (e *env) self(L *glua.LState) *carrier {
	c := e.caller(L)
	if c == nil {
		L.RaiseError("only a fiber can do this")
	}
	return c
}

// caller is self, but nil for Lua code that the host runs by itself, even if a Go function
// of a fiber runs it: that code uses the one Lua stack of the host, which cannot be
// suspended.
func (e *env) caller(L *glua.LState) *carrier {
	if t := e.state.Current(); t != nil && L != e.state.Base() {
		c, ok := t.Carrier().(*carrier)
		if ok && e.rt.Scheduler().Current() == c.fiber.ID() {
			return c
		}
	}
	return nil
}

// begin is self, as the start of a library function.
func (e *env) begin(L *glua.LState) call { return call{e.self(L), L} }

// module makes functions available as a global table and by require.
func (e *env) module(name string, members functions) {
	L := e.state.Base()
	table := functionTable(L, e.paying(name, members))
	L.SetGlobal(name, table)
	L.SetField(L.GetField(L.GetGlobal("package"), "loaded"), name, table)
}

// loaded is the table of the loaded modules, and of the marks of require.
func (e *env) loaded() *glua.LTable {
	L := e.state.Base()
	return L.GetField(L.Get(glua.RegistryIndex), "_LOADED").(*glua.LTable)
}

// objectName distinguishes an object from all others in reports. It has the line that made
// the object, and a number, because one line may make several.
func (e *env) objectName(L *glua.LState) string {
	e.named++
	return strings.TrimSpace(site(L) + " #" + strconv.Itoa(e.named))
}
