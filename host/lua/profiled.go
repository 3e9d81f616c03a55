package lua

import (
	"fmt"
	"maps"
	"weak"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/profile"
)

// Labeled is a Carrier that tells which fiber it is, for Config.Profile.
type Labeled interface {
	// Label is the fiber's ID and name.
	Label() profile.Fiber
}

// CanProfile returns whether programs can be profiled (Config.Profile). They cannot in a build with the tag
// purego, or with a version of gopher-lua that package vm does not know.
func CanProfile() bool { return vm.New(vm.Best, 1, nil).Profile(nil, nil) }

// BeginSlice says for Config.Profile that a fiber of the State executes from now on, and EndSlice that none does.
// The State knows of Run and of Poll. A host whose fibers wait in Go functions calls these too, around each
// slice of a fiber. Without a profile they do nothing.
func (s *State) BeginSlice() {
	if s.profiler != nil {
		s.profiler.sampler.Begin()
	}
}

// EndSlice says that no fiber of the State executes; see BeginSlice.
func (s *State) EndSlice() {
	if s.profiler != nil {
		s.profiler.sampler.End()
	}
}

// profiler takes the samples of a State.
type profiler struct {
	*State
	sampler *profile.Sampler
	names   map[weak.Pointer[glua.FunctionProto]]string // of Lua functions, by their definitions
	library map[*glua.LFunction]string                  // of Go functions, by the globals
	calls   []vm.Sampled                                   // of a sample
	frames  []profile.Frame
}

// maxNamed is how many functions are known by name. A program may compile any number, and drop them.
const maxNamed = 50_000

func (s *State) openProfile() {
	to := s.config.Profile
	if to == nil {
		return
	}
	p := &profiler{State: s, sampler: to.NewSampler(), names: map[weak.Pointer[glua.FunctionProto]]string{}}
	p.calls = make([]vm.Sampled, 0, profile.MaxFrames)
	switch {
	case s.config.Watcher != nil:
		panic("lua: Config.Profile beside Config.Watcher, which Races and AccessPoints set: a program is either watched or profiled; leave one out: " + rule.Cite(rule.ValidArgument))
	case !s.meter.Profile(p.sampler, p.take):
		panic("lua: Config.Profile: this build cannot profile programs; ask CanProfile first: " + rule.Cite(rule.ValidArgument))
	}
	s.profiler = p
}

// know learns the names of the functions that code defines. It accepts nil, as the methods below.
func (p *profiler) know(code *glua.FunctionProto) {
	if p == nil {
		return
	}
	if p.library == nil { // before the first program runs
		p.library = libraryNames(p.base)
	}
	if len(p.names) >= maxNamed {
		maps.DeleteFunc(p.names, func(of weak.Pointer[glua.FunctionProto], _ string) bool { return of.Value() == nil })
	}
	vm.NameFunctions(code, func(of *glua.FunctionProto, name string) bool {
		if name != "" && len(name) <= maxNameBytes {
			p.names[weak.Make(of)] = name
		}
		return len(p.names) < maxNamed
	})
}

// maxNameBytes is how long a name is at most: a function with a longer one counts as one without a name.
const maxNameBytes = 200

// take takes a sample of the routine that executes.
func (p *profiler) take(at vm.Point) { p.add(at.Append(p.calls)) }

// settle takes a sample of the routine that has executed, if time has passed, before another one does.
func (p *profiler) settle() {
	if p == nil || !p.sampler.Pending() || p.current.L == nil {
		return
	}
	if t := p.current.thread; t != nil && t != p.idle && t != p.unwinder {
		p.add(p.meter.Calls(p.calls, p.current.L))
	}
}

// pause is settle before the fiber gives way.
func (p *profiler) pause() {
	if p != nil {
		p.settle()
		p.sampler.End()
	}
}

// close ends the Sampler.
func (p *profiler) close() {
	if p != nil {
		p.sampler.Close()
	}
}

// add adds a sample: of calls of the current routine, and of those that have resumed it.
func (p *profiler) add(calls []vm.Sampled) {
	for r := p.current.resumer; r != nil && r.L != nil; r = r.resumer {
		calls = p.meter.Calls(calls, r.L)
	}
	p.frames = p.frames[:0]
	for _, c := range calls {
		p.frames = append(p.frames, p.frame(c))
	}
	clear(calls)
	var of profile.Fiber
	if l, ok := p.current.thread.carrier.(Labeled); ok {
		of = l.Label()
	}
	p.sampler.Take(of, p.frames)
}

func (p *profiler) frame(c vm.Sampled) profile.Frame {
	if c.Code == nil {
		return profile.Frame{Function: p.goName(c)}
	}
	f := profile.Frame{Function: p.names[weak.Make(c.Code)], File: c.Code.SourceName, Line: c.Line, Start: c.Code.LineDefined}
	switch {
	case c.Code.LineDefined == 0:
		f.Function = "main chunk"
	case f.Function == "":
		f.Function = fmt.Sprintf("function <%s:%d>", f.File, f.Start)
	}
	return f
}

// goName is the name of a Go function: that of the library, such as "string.rep", or that of its caller.
func (p *profiler) goName(c vm.Sampled) string {
	name := p.library[c.Go]
	switch {
	case name != "":
		return name
	case c.Name != "":
		return c.Name
	}
	return "(anonymous)"
}

// libraryNames are the names of the Go functions among the globals, and in tables that are globals. Of several
// names of one function it is the first in the order of the alphabet.
func libraryNames(L *glua.LState) map[*glua.LFunction]string {
	names := map[*glua.LFunction]string{}
	note := func(name string, v glua.LValue) {
		if fn, ok := v.(*glua.LFunction); ok && fn.IsG && (names[fn] == "" || name < names[fn]) {
			names[fn] = name
		}
	}
	L.G.Global.ForEach(func(key, v glua.LValue) {
		note(key.String(), v)
		if t, ok := v.(*glua.LTable); ok && t != L.G.Global {
			t.ForEach(func(inner, v glua.LValue) { note(key.String()+"."+inner.String(), v) })
		}
	})
	return names
}
