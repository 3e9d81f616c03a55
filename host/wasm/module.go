package wasm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/stackful"
)

// Module is a program: compiled and metered code. It can have any number of instances.
type Module struct {
	runtime  *Runtime
	engine   wazero.Runtime // that has compiled it
	name     string
	compiled wazero.CompiledModule
	sizes    meter.Sizes
	linked   bool // all its imports exist
}

// Compile compiles a binary module. The name is for messages. Any goroutine may call it. The error is a
// *ModuleError.
func (r *Runtime) Compile(name string, code []byte) (m *Module, err error) {
	defer func() {
		if v := recover(); v != nil {
			m, err = nil, &ModuleError{Module: name, Err: fmt.Errorf("the engine cannot compile it: %v", v)}
		}
	}()
	metered, sizes, err := meter.Instrument(code, meter.Options{TableEntries: r.config.TableEntries})
	if err != nil {
		return nil, &ModuleError{Module: name, Err: err}
	}
	engine := r.Engine()
	compiled, err := engine.CompileModule(context.Background(), metered)
	if err != nil {
		return nil, &ModuleError{Module: name, Err: err}
	}
	m = &Module{runtime: r, engine: engine, name: name, compiled: compiled, sizes: sizes}
	m.missing()
	return m, nil
}

// On is the module for another Runtime: its instances run on the fibers of that one, which makes no code, and
// needs no engine. Both need the same Config.Modules, MemoryPages and TableEntries. The Runtime that has
// compiled the module is closed last. Any goroutine may call it.
func (m *Module) On(r *Runtime) *Module {
	on := *m
	on.runtime = r
	return &on
}

// Name is the name that Compile was given.
func (m *Module) Name() string { return m.name }

// Imports returns whether the module imports a function.
func (m *Module) Imports(module, name string) bool {
	return slices.ContainsFunc(m.compiled.ImportedFunctions(), func(f api.FunctionDefinition) bool {
		from, imported, _ := f.Import()
		return from == module && imported == name
	})
}

// Close frees the code. Existing instances keep working.
func (m *Module) Close() {
	_ = m.compiled.Close(context.Background()) // the error is always nil
}

// Instantiate makes an instance, and executes the module's start function, if it has one, on the
// fiber. The config may be nil. Its name and start functions are ignored: instances have no names,
// and Call calls functions. Errors: *ImportError, *ModuleError, and *CallError of the start
// function.
func (m *Module) Instantiate(f *stackful.Fiber, cfg wazero.ModuleConfig) (*Instance, error) {
	if cfg == nil {
		cfg = wazero.NewModuleConfig()
	}
	if missing := m.missing(); missing != nil {
		return nil, &ImportError{Module: m.name, Missing: missing}
	}
	c, err := m.runtime.enter(f, m, nil, startFunction)
	if err != nil {
		return nil, &CallError{Module: m.name, Function: startFunction, Err: err}
	}
	defer c.leave()
	var ctx context.Context = c
	i := &Instance{of: m, functions: map[string]*function{}}
	if c.group != nil {
		if i.memory, err = m.newMemory(c, i); err != nil {
			return nil, &CallError{Module: m.name, Function: startFunction, Err: err}
		}
		ctx = experimental.WithMemoryAllocator(ctx, i.memory)
	}
	i.module, err = m.engine.InstantiateModule(ctx, m.compiled, cfg.WithName("").WithStartFunctions())
	if err != nil {
		if i.memory != nil {
			i.memory.Free()
		}
		return nil, m.failedStart(err)
	}
	if c.start != nil {
		c.start.take(c)
		c.start = nil
	}
	i.tank = newTank(i.module)
	i.tank.fill(c)
	m.runtime.instances[i] = struct{}{}
	return i, nil
}

// startFunction is the name of a start function in errors and reports.
const startFunction = "(start)"

// missing returns the imported functions that no host module provides.
func (m *Module) missing() (names []string) {
	if m.linked {
		return nil
	}
	for _, f := range m.compiled.ImportedFunctions() {
		from, name, _ := f.Import()
		if p := m.engine.Module(from); p == nil || !exports(p, name) {
			names = append(names, from+"."+name)
		}
	}
	m.linked = names == nil
	slices.Sort(names)
	return slices.Compact(names)
}

func exports(m api.Module, name string) bool {
	_, ok := m.ExportedFunctionDefinitions()[name]
	return ok
}

// failedStart distinguishes a start function that failed from a module that does not match its
// imports, or whose segments do not fit its memory.
func (m *Module) failedStart(err error) error {
	if strings.Contains(err.Error(), traceMark) || strings.HasPrefix(err.Error(), "start ") {
		return m.callError(startFunction, err)
	}
	return &ModuleError{Module: m.name, Err: err}
}
