package lua_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/long"
)

// luaAddress is how Lua shows an object that has no other text.
var luaAddress = regexp.MustCompile(`(table|function|thread|userdata|file|channel):? \(?0x[0-9a-f]+`)

// Some functions end or block the process, or change more than their own state.
var notCalled = []string{"os.exit", "os.execute", "os.setenv", "os.remove", "os.rename", "os.tmpname", "io.popen", "collectgarbage", "_printregs", "print"}

func TestHostileArgumentsNeverShowAGoError(t *testing.T) {
	var program string
	for _, part := range []string{"values", "calls"} {
		text, err := os.ReadFile("testdata/hostile/" + part + ".lua")
		require.NoError(t, err)
		program += string(text)
	}
	list, err := os.ReadFile("testdata/hostile/texts.txt")
	require.NoError(t, err)
	goErrors := strings.Split(strings.TrimSuffix(string(list), "\n"), "\n")
	require.Contains(t, goErrors, lua.GoFailure)
	t.Chdir(t.TempDir())
	every := 1
	if !long.Full() {
		every = 4 // each function alone takes a tenth of a second
	}
	for i, path := range append(libraryFunctions(), fileMethods()...) {
		if i%every != 0 || slices.Contains(notCalled, path) {
			continue
		}
		t.Run(path, func(t *testing.T) {
			callHostile(t, path, program, goErrors)
		})
	}
}

func callHostile(t *testing.T, path, program string, goErrors []string) {
	d := newDriver(t, lua.Config{}, 1<<40)
	fn, err := d.state.Load(strings.NewReader(program), "calls.lua")
	require.NoError(t, err)
	shown := map[string]bool{}
	complete := false
	base := d.state.Base()
	base.SetGlobal("report", base.NewFunction(func(L *glua.LState) int {
		text := L.CheckString(2)
		complete = complete || strings.HasPrefix(text, "calls: ")
		text = text[:min(len(text), 300)]
		text = luaAddress.ReplaceAllString(text, "")
		for _, part := range goErrors {
			if strings.Contains(text, part) && !shown[part] {
				shown[part] = true
				t.Errorf("%s shows an error of Go: %q, called with %s", path, text, L.CheckString(3))
			}
		}
		return 0
	}))
	main := d.spawn(d.state.Main(), fn, glua.LString(path), glua.LNumber(1))
	for !main.stack.Finished() {
		d.step()
	}
	require.NoError(t, main.err)
	require.True(t, complete, "the program did not come to its end")
}

// libraryFunctions are the paths of all functions of the libraries.
func libraryFunctions() (paths []string) {
	s := lua.New(lua.Config{})
	defer s.Close()
	add := func(prefix string, table *glua.LTable) {
		table.ForEach(func(k, v glua.LValue) {
			if v.Type() == glua.LTFunction {
				paths = append(paths, prefix+k.String())
			}
		})
	}
	global := s.Base().G.Global
	add("", global)
	global.ForEach(func(k, v glua.LValue) {
		if table, ok := v.(*glua.LTable); ok && table != global {
			add(k.String()+".", table)
		}
	})
	slices.Sort(paths)
	return paths
}

func fileMethods() (paths []string) {
	for _, name := range []string{"close", "flush", "lines", "read", "seek", "setvbuf", "write", "__tostring"} {
		paths = append(paths, "<file>."+name)
	}
	return paths
}
