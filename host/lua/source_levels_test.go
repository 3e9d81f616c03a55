package lua_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/internal/levels"
	"github.com/selvage-dev/selvage/internal/long"
)

// nest is a way to nest constructs.
type nest struct {
	levels                             int // of one open
	before, open, inside, close, after string
}

func (n nest) source(times int) string {
	return n.before + strings.Repeat(n.open, times) + n.inside + strings.Repeat(n.close, times) + n.after
}

// cheap are the nests that gopher-lua compiles in nearly linear time.
var cheap = map[string]nest{
	"not":        {1, "return ", "not ", "a", "", ""},
	"length":     {1, "return ", "#", "a", "", ""},
	"comparison": {1, "return a", "==a", "", "", ""},
	"or":         {1, "return a", " or a", "", "", ""},
	"concat":     {1, "return a", "..a", "", "", ""},
	"parens":     {1, "return ", "(", "a", ")", ""},
	"right":      {2, "return ", "(a and ", "a", ")", ""},
	"table":      {1, "return ", "{", "", "}", ""},
	"key":        {2, "return ", "{[", "1", "]=1}", ""},
	"index":      {2, "return ", "a[", "1", "]", ""},
	"call":       {2, "", "a(", "", ")", ""},
	"calls":      {1, "a", "''", "", "", ""},
	"do":         {1, "", "do ", "", " end", ""},
	"if":         {1, "", "if a then ", "", " end", ""},
	"elseif":     {1, "if a then ", " elseif a then ", "", "", " end"},
	"function":   {1, "", "function a() ", "", " end", ""},
	"closure":    {2, "return ", "a or function() return ", "1", " end", ""},
}

// dear are the nests that it compiles in quadratic time.
var dear = map[string]nest{
	"minus":    {1, "return ", "- ", "a", "", ""},
	"plus":     {1, "return a", "+a", "", "", ""},
	"pow":      {1, "return 2", "^a", "", "", ""},
	"left":     {2, "return ", "(", "a", "+a)", ""},
	"fields":   {1, "a", ".a", "=1", "", ""},
	"methods":  {2, "a", ":a()", "", "", ""},
	"name":     {1, "function a", ".a", "() end", "", ""},
	"while":    {1, "", "while a do ", "", " end", ""},
	"repeat":   {1, "", "repeat ", "", " until a", ""},
	"for":      {1, "", "for i=1,2 do ", "", " end", ""},
	"callback": {3, "", "a(function() ", "", " end)", ""},
	"open":     {1, "a=", "{", "", "", ""},
}

const crashEnv = "SELVAGE_TEST_CRASH"

// inOwnProcess runs the test again in a separate process, so that a crash fails only this test. It
// returns true in that process, where Go stacks are limited to 64 MB.
func inOwnProcess(t *testing.T) bool {
	if os.Getenv(crashEnv) != "" {
		debug.SetMaxStack(64 << 20)
		return true
	}
	cmd := exec.CommandContext(long.Context(t), os.Args[0], "-test.v", "-test.timeout=0", "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), crashEnv+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%.4000s", out)
	require.Contains(t, string(out), "--- PASS: "+t.Name())
	return false
}

// loadEveryWay has the globals source, dir and file.
const loadEveryWay = `
print(loadstring(source, "chunk"))
local rest = source
print(load(function() local piece = rest; rest = nil; return piece end, "chunk"))
print(coroutine.wrap(function() return loadstring(source, "chunk") end)())
print(loadfile(file))
print(pcall(dofile, file))
package.path = dir .. "/?.lua"
print(pcall(require, "deep"))
print(pcall(package.loaders[2], "deep"))`

func TestADeepProgramIsAnErrorInEveryWayToLoadIt(t *testing.T) {
	if !inOwnProcess(t) {
		return
	}
	times := 1_000_000
	if raced || !long.Full() {
		times = 20_000
	}
	for _, nests := range []map[string]nest{cheap, dear} {
		for name, n := range nests {
			t.Run(name, func(t *testing.T) { refuseEveryWay(t, n.source(times)) })
		}
	}
}

func refuseEveryWay(t *testing.T, source string) {
	const message = ":1: chunk has too many syntax levels"
	dir := t.TempDir()
	file := filepath.Join(dir, "deep.lua")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	d := newDriver(t, lua.Config{}, 1<<40)
	for name, value := range map[string]string{"source": source, "dir": dir, "file": file} {
		d.state.Base().SetGlobal(name, glua.LString(value))
	}
	require.NoError(t, d.run(t, loadEveryWay).err)
	chunk, path := "nil\tchunk"+message+"\n", file+message+"\n"
	want := chunk + chunk + chunk + "nil\t" + path + "false\t" + path +
		"false\tprogram.lua:9: " + path + "false\tprogram.lua:10: " + path
	require.Equal(t, want, d.out.String())

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := d.state.Load(strings.NewReader(source), "chunk")
	runtime.ReadMemStats(&after)
	require.EqualError(t, err, "chunk"+message)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8*len(source)+4<<20))
	_, err = d.state.LoadFile(file)
	require.EqualError(t, err, file+message)
	var refused *levels.Error
	require.ErrorAs(t, err.(*glua.ApiError).Cause, &refused)
}
