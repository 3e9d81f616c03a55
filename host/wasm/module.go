package wasm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/stackful"
)

// Module is a program: compiled and metered code, of which any number of instances can be
// made.
type Module struct {
	runtime  *Runtime
	name     string
	compiled wazero.CompiledModule
	linked   bool // all that it imports is there
}

// Compile makes a module of a binary. The name is for messages. It may be called by any
// goroutine. The error is a *ModuleError.
func (r *Runtime) Compile(name string, binary []byte) (m *Module, err error) {
	defer func() {
		if v := recover(); v != nil {
			m, err = nil, &ModuleError{Module: name, Err: fmt.Errorf("the engine cannot compile it: %v", v)}
		}
	}()
	metered, err := meter.Instrument(binary, meter.Options{TableEntries: r.config.TableEntries})
	if err != nil {
		return nil, &ModuleError{Module: name, Err: err}
	}
	compiled, err := r.engine.CompileModule(context.Background(), metered)
	if err != nil {
		return nil, &ModuleError{Module: name, Err: err}
	}
	return &Module{runtime: r, name: name, compiled: compiled}, nil
}

// Name is what it was compiled as.
func (m *Module) Name() string { return m.name }

// Close frees the code. Instances that exist go on.
func (m *Module) Close() {
	_ = m.compiled.Close(context.Background()) // it only ever is nil
}

// Instantiate makes an instance and runs the module's start function, if it has one, on
// the fiber. The config may be nil; its name and start functions are not used: instances
// have no names, and what is to be called is called by Call. Errors: *ImportError,
// *ModuleError, and *CallError of the start function.
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
	module, err := m.runtime.engine.InstantiateModule(c, m.compiled, cfg.WithName("").WithStartFunctions())
	if err != nil {
		return nil, m.failedStart(err)
	}
	i := &Instance{of: m, module: module, fuel: fuelOf(module), functions: map[string]*function{}}
	i.fuel.Set(uint64(m.runtime.budget()))
	return i, nil
}

// startFunction is what the call of a start function goes by.
const startFunction = "(start)"

// missing are the functions that the module imports and nobody provides.
func (m *Module) missing() (names []string) {
	if m.linked {
		return nil
	}
	for _, f := range m.compiled.ImportedFunctions() {
		from, name, _ := f.Import()
		if p := m.runtime.engine.Module(from); p == nil || !exports(p, name) {
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

// failedStart tells code that failed from a module that does not fit what it imports, or
// whose segments do not fit its memory.
func (m *Module) failedStart(err error) error {
	if strings.Contains(err.Error(), traceMark) || strings.HasPrefix(err.Error(), "start ") {
		return m.callError(startFunction, err)
	}
	return &ModuleError{Module: m.name, Err: err}
}
