package lua_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
)

// A traceback of more than a hundred levels is not made by gopher-lua.
func TestALongTracebackReadsAsGopherLuas(t *testing.T) {
	const program = `
		local function down(n) if n == 0 then error("bottom") end return 1 + down(n - 1) end
		local function jump(n) return down(n) end
		local function both(n)
			if n < 0 then return down(1) end
			if n %% 3 == 0 then return both(n - 1) end
			return 1 + both(n - 1)
		end
		local function via(n) if n <= 0 then error("x") end return (("x"):gsub("x", function() via(n - 1) end)) end
		%s`
	for _, calls := range []string{
		`down(%d)`, `return down(%d)`, `local x = 1 + jump(%d)`, `return jump(%d)`, `both(%d)`, `return both(%d)`, `via(%d / 2.5)`,
		`print(xpcall(down, function() print(debug.traceback("message", 3)) end), %d)`,
	} {
		for _, n := range []int{5, 50, 90, 97, 98, 99, 100, 101, 102, 103, 110, 150, 200} {
			source := fmt.Sprintf(program, fmt.Sprintf(calls, n))
			d := newDriver(t, lua.Config{}, 1<<40)
			f := d.run(t, source)
			require.Equal(t, bareError(t, source), fmt.Sprint(f.err), calls, n)
		}
	}
}

// bareError is gopher-lua's text of a program's error.
func bareError(t *testing.T, source string) string {
	L := glua.NewState()
	defer L.Close()
	fn, err := L.Load(strings.NewReader(source), "program.lua")
	require.NoError(t, err)
	L.Push(fn)
	return fmt.Sprint(L.PCall(0, 0, nil))
}

func TestDebugTracebackOfADeepRecursion(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1<<40)
	require.NoError(t, d.run(t, `
		local function down(n) if n == 0 then error("bottom", 0) end return 1 + down(n - 1) end
		local function show(m) print(debug.traceback(m, 2)) end
		xpcall(function() down(150) end, show)
		local co = coroutine.create(down) coroutine.resume(co, 150) print(debug.traceback(co))`).err)
	line := "\tprogram.lua:2: in function 'down'\n"
	require.Equal(t, "bottom\nstack traceback:\n\t[G]: in function 'error'\n"+strings.Repeat(line, 6)+"\t...\n"+strings.Repeat(line, 3)+
		"\tprogram.lua:4: in function <program.lua:4>\n\t[G]: in function 'xpcall'\n\tprogram.lua:4: in main chunk\n\t[G]: ?\n"+
		"stack traceback:\n"+strings.Repeat(line, 7)+"\t...\n"+strings.Repeat(line, 5)+
		"\tprogram.lua:2: in main chunk\n\t[G]: ?\n", d.out.String())
}
