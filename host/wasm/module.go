package wasm

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/stackful"
)

// Module is a program: compiled and metered code. It can have any number of instances.
type Module struct {
	runtime  *Runtime
	name     string
	compiled wazero.CompiledModule
	memory   bool // it has one, or imports one
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
	metered, err := meter.Instrument(code, meter.Options{TableEntries: r.config.TableEntries})
	if err != nil {
		return nil, &ModuleError{Module: name, Err: err}
	}
	compiled, err := r.engine.CompileModule(context.Background(), metered)
	if err != nil {
		return nil, &ModuleError{Module: name, Err: err}
	}
	memory := len(compiled.ImportedMemories()) > 0 || declaresMemory(code)
	return &Module{runtime: r, name: name, compiled: compiled, memory: memory}, nil
}

// declaresMemory returns whether a valid module has a section of memories that is not empty.
func declaresMemory(module []byte) bool {
	const header, memories = 8, 5
	for rest := module[header:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		body := rest[1+n:][:size]
		if rest[0] == memories {
			count, _ := binary.Uvarint(body)
			return count > 0
		}
		rest = rest[1+n+len(body):]
	}
	return false
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
	module, err := m.runtime.engine.InstantiateModule(c, m.compiled, cfg.WithName("").WithStartFunctions())
	if err != nil {
		return nil, m.failedStart(err)
	}
	i := &Instance{of: m, module: module, fuel: fuelOf(module), functions: map[string]*function{}}
	i.fuel.Set(uint64(m.runtime.budget()))
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

// failedStart distinguishes a start function that failed from a module that does not match its
// imports, or whose segments do not fit its memory.
func (m *Module) failedStart(err error) error {
	if strings.Contains(err.Error(), traceMark) || strings.HasPrefix(err.Error(), "start ") {
		return m.callError(startFunction, err)
	}
	return &ModuleError{Module: m.name, Err: err}
}
