package lua

import (
	"os"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

const (
	// maxModuleName is the most bytes of the name of a module or of its file. No system has longer
	// names of files.
	maxModuleName = 1 << 15
	// maxTemplates is how many files one call of require looks for.
	maxTemplates = 1000
)

// openModules replaces require and its second loader, which looks for files, and guards module: the
// work that gopher-lua's do for a name and a package.path has no bound.
func (s *State) openModules() {
	s.library("_G", "require").GFunction = s.requireModule
	s.guarded("_G", "module", func(L *glua.LState) { s.checkModuleName(L) })
	loaders := s.base.GetField(s.base.GetGlobal(glua.LoadLibName), "loaders")
	s.base.RawGetInt(loaders.(*glua.LTable), 2).(*glua.LFunction).GFunction = s.loadModule
}

func (s *State) checkModuleName(L *glua.LState) string {
	name := L.CheckString(1)
	if len(name) > maxModuleName {
		L.ArgError(1, "name of a module too long")
	}
	s.ChargeBytes(len(name))
	return name
}

// beingLoaded is the value of a module in package.loaded until it is loaded.
type beingLoaded struct{}

// requireModule is require. It does what gopher-lua's does, with the same messages.
func (s *State) requireModule(L *glua.LState) int {
	name := s.checkModuleName(L)
	loaded := L.GetField(L.Get(glua.RegistryIndex), "_LOADED")
	if v := L.GetField(loaded, name); glua.LVAsBool(v) {
		if isBeingLoaded(v) {
			L.RaiseError("loop or previous error loading module: %s", name)
		}
		return push(L, v)
	}
	loader := s.findLoader(L, name)
	L.SetField(loaded, name, &glua.LUserData{Value: beingLoaded{}})
	result := call1(L, loader, name)
	if v := L.GetField(loaded, name); !isBeingLoaded(v) {
		return push(L, v)
	}
	if result == glua.LNil {
		result = glua.LTrue
	}
	L.SetField(loaded, name, result)
	return push(L, result)
}

func isBeingLoaded(v glua.LValue) bool {
	ud, ok := v.(*glua.LUserData)
	return ok && ud.Value == beingLoaded{}
}

// findLoader asks package.loaders for a function that loads a module.
func (s *State) findLoader(L *glua.LState, name string) glua.LValue {
	loaders, ok := L.GetField(L.Get(glua.RegistryIndex), "_LOADERS").(*glua.LTable)
	if !ok {
		L.RaiseError("package.loaders must be a table")
	}
	tried := s.meter.NewText(L, 0)
	for i := 1; ; i++ {
		s.Charge(1)
		searcher := L.RawGetInt(loaders, i)
		if searcher == glua.LNil {
			L.RaiseError("module %s not found:%s, ", name, tried.String())
		}
		switch found := call1(L, searcher, name).(type) {
		case *glua.LFunction:
			return found
		case glua.LString:
			if tried.Len()+len(found) > maxString/2 {
				tooLarge(L)
			}
			tried.Add("\n\t")
			tried.Add(string(found))
		}
	}
}

// call1 calls a function with a text, and returns its first result.
func call1(L *glua.LState, fn glua.LValue, text string) glua.LValue {
	L.Push(fn)
	L.Push(glua.LString(text))
	L.Call(1, 1)
	result := L.Get(-1)
	L.Pop(1)
	return result
}

// loadModule is the second of package.loaders: it loads a module from a file.
func (s *State) loadModule(L *glua.LState) int {
	path, tried := s.findModule(L, s.checkModuleName(L))
	if path == "" {
		return push(L, glua.LString(tried))
	}
	fn, err := s.compileFile(L, s.config.Files, path)
	if err != nil {
		L.RaiseError("%s", err.Error())
	}
	return push(L, fn)
}

// findModule returns the file of a module, or why none was found.
func (s *State) findModule(L *glua.LState, name string) (path, tried string) {
	patterns, ok := L.GetField(L.GetField(L.Get(glua.EnvironIndex), "package"), "path").(glua.LString)
	if !ok {
		L.RaiseError("package.path must be a string")
	}
	name = strings.ReplaceAll(name, ".", string(os.PathSeparator))
	var reasons []string
	for pattern := range strings.SplitSeq(string(patterns), ";") {
		if len(reasons) == maxTemplates {
			L.RaiseError("package.path has more than %d templates", maxTemplates)
		}
		s.ChargeBytes(len(pattern) + len(name))
		if len(pattern) > maxModuleName || len(pattern)+strings.Count(pattern, "?")*len(name) > maxModuleName {
			L.RaiseError("package.path has a template that makes the name of a file too long")
		}
		file := strings.ReplaceAll(pattern, "?", name)
		err := s.config.Files.Find(L, file)
		if err == nil {
			return file, ""
		}
		reasons = append(reasons, err.Error())
	}
	return "", strings.Join(reasons, "\n\t")
}
