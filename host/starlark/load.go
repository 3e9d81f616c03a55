package starlark

import (
	"fmt"
	"path"
	"slices"
	"strings"

	gostar "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// module is a file that is executed once. A fiber that needs it while another one executes it waits.
type module struct {
	file    string
	lock    *wait.Mutex
	loader  *thread // nil: no fiber executes it
	loaded  bool
	globals gostar.StringDict
	err     error                     // how it has failed, for all that load it
	program *gostar.Program           // nil: that of a file
	frozen  map[gostar.Value]struct{} // globals that are frozen already
}

func newModule(file string) *module {
	m := &module{file: path.Clean(file), lock: wait.NewMutex(wait.HandOver)}
	m.lock.SetName("load " + m.file)
	return m
}

// request is a load statement, or for the main program none.
type request struct {
	module *module
	at     syntax.Position
}

func (r request) String() string { return fmt.Sprintf("%s loads %s", r.at, r.module.file) }

// LoadCycleError is a load that can never end: of a file that is being loaded by a fiber which needs the file with
// the load statement.
type LoadCycleError struct {
	// Loads are the load statements of the cycle, each as "a.star:1:6 loads b.star".
	Loads []string
}

// Error names the files and lines.
func (e *LoadCycleError) Error() string { return "load cycle: " + strings.Join(e.Loads, "; ") }

// load is the load statement.
func (t *thread) load(_ *gostar.Thread, name string) (gostar.StringDict, error) {
	return t.loadFrom(name, t.star.CallFrame(0).Pos)
}

// loadFrom loads what a file names at a position.
func (t *thread) loadFrom(name string, at syntax.Position) (gostar.StringDict, error) {
	h := t.host
	if m, ok := h.cfg.Modules[name]; ok {
		m.Freeze()
		return m, nil
	}
	file := name
	if !path.IsAbs(name) {
		file = path.Join(path.Dir(at.Filename()), name)
	}
	m := h.modules[path.Clean(file)]
	if m == nil {
		m = newModule(file)
		h.modules[m.file] = m
	}
	return t.loadModule(m, request{m, at}, func() (*gostar.Program, error) { return t.source(file) })
}

// dynamic is fiber.module(name): what load does, for a function: the result has the globals whose names do not begin
// with an underscore.
func dynamic(c *call) (gostar.Value, error) {
	var name string
	if err := c.unpack("name", &name); err != nil {
		return nil, err
	}
	globals, err := c.loadFrom(name, c.caller())
	if err != nil {
		return nil, fmt.Errorf("cannot load %s: %w", name, err)
	}
	m := &starlarkstruct.Module{Name: name, Members: gostar.StringDict{}}
	for name, v := range globals {
		if !strings.HasPrefix(name, "_") {
			m.Members[name] = v
		}
	}
	return m, nil
}

// caller is the innermost position in a file: for a fiber that was spawned with a function in Go that of the program.
func (t *thread) caller() syntax.Position {
	for level := range t.star.CallStackDepth() {
		if pos := t.star.CallFrame(level).Pos; pos.Filename() != builtin {
			return pos
		}
	}
	file := "."
	if t.host.main != nil {
		file = t.host.main.file
	}
	return syntax.MakePosition(&file, 0, 0)
}

// source reads and compiles a file.
func (t *thread) source(file string) (*gostar.Program, error) {
	world, err := t.host.io.world()
	if err != nil {
		return nil, err
	}
	text, err := world.ReadFile(t.fiber, file, fiber.Never)
	if err != nil {
		return nil, err
	}
	if err := t.charge(int64(len(text)) / 64); err != nil {
		return nil, err
	}
	return t.host.compile(file, text)
}

// loadModule executes a module, unless it was executed, or another fiber does it.
func (t *thread) loadModule(m *module, r request, program func() (*gostar.Program, error)) (gostar.StringDict, error) {
	if m.loaded {
		return m.globals, m.err
	}
	t.touch()
	r.module = m
	if err := t.cycle(r); err != nil {
		return nil, err
	}
	t.settle()
	t.waits = &r
	err := t.check(t.fiber.Lock(m.lock))
	t.waits = nil
	if err != nil {
		return nil, err
	}
	defer func() { _ = t.fiber.Unlock(m.lock) }() // no error: this fiber is the owner
	if m.loaded {
		return m.globals, m.err
	}
	m.loader, t.loads = t, append(t.loads, r)
	defer func() { m.loader, t.loads = nil, t.loads[:len(t.loads)-1] }()
	globals, err := t.execute(m, program)
	if err = t.check(err); t.ended != nil {
		return nil, err // cancelled or killed: another fiber may try
	}
	m.globals, m.err, m.loaded, m.frozen = globals, err, true, nil
	return m.globals, m.err
}

func (t *thread) execute(m *module, program func() (*gostar.Program, error)) (gostar.StringDict, error) {
	p, err := program()
	if err != nil {
		return nil, err
	}
	globals, err := p.Init(t.star, t.host.names)
	if err != nil {
		return nil, err
	}
	if err := m.freeze(globals); err != nil {
		return nil, err
	}
	globals.Freeze()
	return globals, nil
}

// cycle is the error of a load that waits for itself.
func (t *thread) cycle(r request) error {
	var loads []string
	for m := r.module; m.loader != nil; {
		by := m.loader
		i := slices.IndexFunc(by.loads, func(r request) bool { return r.module == m })
		for _, inner := range by.loads[i+1:] {
			loads = append(loads, inner.String())
		}
		if by == t {
			return &LoadCycleError{append(loads, r.String())}
		}
		if by.waits == nil {
			return nil
		}
		loads = append(loads, by.waits.String())
		m = by.waits.module
	}
	return nil
}

var errNoProgram = notCalled("the Host has no program; call Run before, or set Config.Program")

// program is the module whose functions Go code calls: that of the last Run, or Config.Program.
func (t *thread) program() (gostar.StringDict, error) {
	h := t.host
	if h.main == nil && h.cfg.Program != nil {
		h.main = newModule(h.cfg.Program.name)
		h.main.program = h.cfg.Program.compiled
		h.modules[h.main.file] = h.main
	}
	if h.main == nil {
		return nil, errNoProgram
	}
	return t.loadModule(h.main, request{}, func() (*gostar.Program, error) { return h.main.program, nil })
}
