package fibers

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/internal/long"
)

// function is a function that a program can call.
type function struct {
	path string
	kind string // of the objects whose method it is; "" for other functions
	fn   *glua.LFunction
}

// Some functions end the program, or take long whatever their arguments are.
var uncalled = []string{"os.exit", "collectgarbage"}

// Every function of every library, and every method, is found in the state: a new one needs a
// maker in the program only if it belongs to a new kind of objects.
func TestNoFunctionOfALibraryShowsAGoError(t *testing.T) {
	h := newHostile(t)
	for i, f := range reachable(set(t, Config{})) {
		if thinned := raced && i%4 != 0; !thinned && !slices.Contains(uncalled, f.path) {
			t.Run(f.path, func(t *testing.T) {
				quiet(t)
				h.found = nil
				if h.call(t, Config{}, i, 3) {
					h.call(t, real(10_000), i, 300)
				}
				require.Empty(t, h.found)
			})
		}
	}
}

// The test above finds a function that fails in Go, in any library.
func TestAFunctionThatShowsAGoErrorIsFound(t *testing.T) {
	h := newHostile(t)
	h.prepare = func(s *stage) {
		broken := functionTable(s.State().Base(), functions{"index": func(L *glua.LState) int { return []int{0, 1}[L.GetTop()] }})
		s.State().Base().GetGlobal("fs").(*glua.LTable).RawSetString("inner", broken)
	}
	s := set(t, Config{})
	h.prepare(s)
	i := slices.IndexFunc(reachable(s), func(f function) bool { return f.path == "fs.inner.index" })
	h.call(t, Config{}, i, 3)
	require.NotEmpty(t, h.found)
	require.Regexp(t, `^fs.inner.index called with .*: "a Go function failed"$`, h.found[0])
}

// quiet gives the processes of os.execute and io.popen, which have the files of this one, others.
func quiet(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	in, out, failures := os.Stdin, os.Stdout, os.Stderr
	os.Stdin, os.Stdout, os.Stderr = null, null, null
	t.Cleanup(func() {
		os.Stdin, os.Stdout, os.Stderr = in, out, failures
		_ = null.Close()
	})
}

// hostile calls functions.
type hostile struct {
	program string
	texts   []string // of Go's own errors
	found   []string // answers with such a text
	prepare func(*stage)
}

func newHostile(t *testing.T) *hostile {
	h := &hostile{prepare: func(*stage) {}}
	for _, part := range []string{"values", "libraries"} {
		text, err := os.ReadFile("../testdata/hostile/" + part + ".lua")
		require.NoError(t, err)
		h.program += string(text)
	}
	list, err := os.ReadFile("../testdata/hostile/texts.txt")
	require.NoError(t, err)
	h.texts = strings.Split(strings.TrimSuffix(string(list), "\n"), "\n")
	t.Setenv("PATH", "") // no program is found
	t.Setenv("TMPDIR", t.TempDir())
	t.Chdir(t.TempDir())
	return h
}

// luaAddress is how Lua shows an object that has no other text.
var luaAddress = regexp.MustCompile(`0x[0-9a-f]+`)

// call runs the program on a Host of its own, for the function with that index and with so many
// turns for each call. It returns whether the function needs real time.
func (h *hostile) call(t *testing.T, cfg Config, index, turns int) (needsRealTime bool) {
	cfg.Access.Stdin = strings.NewReader("a line\n12 and more")
	cfg.MaxIslands = 3
	s := set(t, cfg)
	h.prepare(s)
	f, done := reachable(s)[index], false
	s.State().Base().SetGlobal("target", f.fn)
	s.global("report", func(L *glua.LState) int {
		text := L.CheckString(2)
		done = done || strings.HasPrefix(text, "calls: ")
		needsRealTime = needsRealTime || strings.Contains(text, "real time") || strings.Contains(text, "virtual time")
		h.look(f.path+" called with "+L.CheckString(3), text)
		return 0
	})
	rounds := 30
	if long.Full() {
		rounds = 3000
	}
	require.NoError(t, s.try(fmt.Sprintf("return (function(...) %s end)(%q, %q, 1, %d, %d)", "\n"+h.program, f.path, f.kind, rounds, turns)))
	require.True(t, done || needsRealTime, "the program did not come to its end")
	for _, failed := range s.failed {
		h.look("a fiber of "+f.path, failed.Error())
	}
	return needsRealTime
}

// look notes an answer with a text of Go.
func (h *hostile) look(what, text string) {
	text = luaAddress.ReplaceAllString(text[:min(len(text), 1000)], "")
	if slices.ContainsFunc(h.texts, func(part string) bool { return strings.Contains(text, part) }) {
		h.found = append(h.found, fmt.Sprintf("%s: %q", what, text))
	}
}

// reachable are all functions that a program can reach, and the methods of all kinds of objects.
func reachable(s *stage) (all []function) {
	base := s.State().Base()
	seen := map[glua.LValue]bool{base.G.Global: true}
	var walk func(path, kind string, v glua.LValue)
	walk = func(path, kind string, v glua.LValue) {
		if seen[v] {
			return
		}
		switch v := v.(type) {
		case *glua.LFunction:
			seen[v] = true
			all = append(all, function{path, kind, v})
		case *glua.LTable:
			seen[v] = true
			for key, member := range pairs(v) {
				walk(strings.TrimPrefix(path+"."+key.String(), "."), kind, member)
			}
		}
	}
	for name, library := range pairs(base.G.Global) { // package.loaded has the libraries too, under longer names
		if name != glua.LString("package") {
			walk(name.String(), "", library)
		}
	}
	walk("package", "", base.GetGlobal("package"))
	for _, made := range s.env.types {
		made.metatable()
	}
	for kind, meta := range pairs(base.Get(glua.RegistryIndex).(*glua.LTable)) {
		if meta, ok := meta.(*glua.LTable); ok && meta.RawGetString("__index") != glua.LNil {
			walk("<"+kind.String()+">", kind.String(), meta)
		}
	}
	return all
}
