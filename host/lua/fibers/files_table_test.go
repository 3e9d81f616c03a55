package fibers

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/sandbox"
)

// uses are calls of every function of io and of files, for a file that is open or closed.
var uses = []string{
	"f:close()", "f:read()", "f:read('*a')", "f:read('*n')", "f:read(0)", "f:read(3)", "f:read('*l', 2)", "f:read('*x')", "f:read(nil)",
	"f:write('x')", "f:write(1, 'y')", "f:write()", "f:write({})", "f:write(nil)", "f:flush()", "f:seek()", "f:seek('set')", "f:seek('end', -1)",
	"f:seek('cur', 1)", "f:seek('set', -1)", "f:seek('bad')", "f:setvbuf('no')", "f:setvbuf('full', 10)", "f:setvbuf('bad')", "f:lines()", "f:lines()()",
	"io.close(f)", "io.type(f)", "tostring(f)", "io.input(f):read()", "io.output(f):write('z')",
	"(function() io.input(f) return io.read() end)()", "(function() io.input(f) return io.lines()() end)()",
	"(function() io.output(f) return io.write('z') end)()", "(function() io.output(f) return io.flush() end)()", "(function() io.output(f) return io.close() end)()",
}

// asInLua are the differences from gopher-lua where Lua 5.1 does what a hosted file does.
var asInLua = []struct{ use, bare, hosted, why string }{
	{"", "true nil string 1", "false", "arguments are checked, and a closed file is an error, before the mode is looked at"},
	{"f:flush", "true nil string 1", "true true", "a file that is only read can be flushed"},
	{"(function() io.output(f) return io.flush", "true nil string 1", "true true", "the same"},
	{"f:setvbuf", "true nil string 1", "true true", "a file that is only read has a buffer"},
	{"f:seek", "true nil string", "false", "a closed file is an error"},
	{"f:seek", "true nil string", "true nil string 1", "a failure has a number too"},
	{"(function() io.input(f) return io.lines", "false", "true string", "the iterator needs no argument"},
	{"(function() io.input(f) return io.lines", "false", "true nil", "the same"},
	{"f:read(nil)", "true", "false", "nil is no format"},
	{"f:read(0)", "true string", "true nil string 1", "a file that is only appended to cannot be read"},
	{"f:lines()", "true", "false", "a file that is only written has no lines"},
	{"f:lines()", "true function", "false", "a file that is only appended to cannot be read"},
}

// A file does what it does in bare gopher-lua: it returns as many values of the same types, or
// raises an error, in each mode, open and closed.
func TestFilesDoWhatTheyDoInBareGopherLua(t *testing.T) {
	for _, mode := range []string{"r", "w", "a", "r+", "w+", "a+"} {
		for _, closed := range []bool{false, true} {
			for _, use := range uses {
				program := fileProgram(t, mode, use, closed)
				bare, hosted := bareResult(t, program), hostedResult(t, program)
				if bare != hosted && !explained(use, bare, hosted) {
					t.Errorf("%s, mode %s, closed: %v: %s on gopher-lua, hosted %s", use, mode, closed, bare, hosted)
				}
			}
		}
	}
}

func explained(use, bare, hosted string) bool {
	for _, d := range asInLua {
		if strings.HasPrefix(use, d.use) && bare == d.bare && hosted == d.hosted {
			return true
		}
	}
	return false
}

func fileProgram(t *testing.T, mode, use string, closed bool) string {
	path := filepath.Join(t.TempDir(), "file")
	end := ""
	if closed {
		end = "f:close()"
	}
	return fmt.Sprintf(`
		local f = assert(io.open(%q, "w")) f:write("12 first\nsecond\n") f:close()
		f = assert(io.open(%q, %q)) %s
		local function shown(ok, ...)
			local all = { tostring(ok) }
			for i = 1, ok and select("#", ...) or 0 do
				local v = select(i, ...)
				all[#all + 1] = (type(v) == "boolean" or type(v) == "number") and tostring(v) or type(v)
			end
			return table.concat(all, " ")
		end
		result(shown(pcall(function() return %s end)))
		pcall(f.close, f)`, path, path, mode, end, use)
}

func bareResult(t *testing.T, program string) (result string) {
	L := glua.NewState()
	defer L.Close()
	L.SetGlobal("result", L.NewFunction(func(L *glua.LState) int {
		result = L.CheckString(1)
		return 0
	}))
	require.NoError(t, L.DoString(program))
	return result
}

func hostedResult(t *testing.T, program string) (result string) {
	h := New(Config{Access: sandbox.Process()})
	defer h.Close()
	L := h.State().Base()
	L.SetGlobal("result", L.NewFunction(func(L *glua.LState) int {
		result = L.CheckString(1)
		return 0
	}))
	_, err := h.Run(t.Context(), strings.NewReader(program), "p.lua")
	require.NoError(t, err)
	return result
}
