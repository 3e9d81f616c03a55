package vm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// Functions with any numbers of parameters, arguments, results and results that the caller takes behave
// as on gopher-lua alone: also variadic ones, methods of Go functions, and those whose variables outlive
// them.
func TestCallsBehaveAsOnGopherLua(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		program := callsOf(t)
		want, got := printed(glua.NewState(), program), printed(meteredState(), program)
		require.Equal(t, want, got, program)
	})
}

// callsOf is a program of functions, each of which may call those before it.
func callsOf(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("local kept = {}\nlocal function f0(x) return x end\n")
	n := rapid.IntRange(1, 5).Draw(t, "functions")
	for i := 1; i <= n; i++ {
		params := names("p", rapid.IntRange(0, 4).Draw(t, "parameters"))
		variadic := rapid.Bool().Draw(t, "variadic")
		if variadic {
			params = append(params, "...")
		}
		fmt.Fprintf(&b, "local function f%d(%s)\n", i, strings.Join(params, ", "))
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			taken := names(fmt.Sprintf("v%d_", b.Len()), rapid.IntRange(1, 4).Draw(t, "taken"))
			fmt.Fprintf(&b, "  local %s = %s\n  print(%s)\n", strings.Join(taken, ", "), call(t, i), strings.Join(taken, ", "))
		}
		if rapid.Bool().Draw(t, "kept") {
			b.WriteString("  local outlives = #kept\n  kept[#kept + 1] = function() outlives = outlives + 1 return outlives end\n")
		}
		fmt.Fprintf(&b, "  return %s\nend\n", results(t, i, variadic))
		fmt.Fprintf(&b, "print(%s)\n", call(t, i+1))
	}
	b.WriteString("for _, f in ipairs(kept) do print(f(), f()) end\n")
	return b.String()
}

func names(prefix string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(prefix, i))
	}
	return all
}

// call is a call of a function before the one with number i: by Lua, by Go, or by an instruction.
func call(t *rapid.T, i int) string {
	f := fmt.Sprint("f", rapid.IntRange(0, i-1).Draw(t, "callee"))
	args := strings.Join(values(t, rapid.IntRange(0, 5).Draw(t, "arguments")), ", ")
	switch rapid.IntRange(0, 3).Draw(t, "caller") {
	case 0:
		return fmt.Sprintf("pcall(%s)", strings.TrimSuffix(f+", "+args, ", "))
	case 1:
		return fmt.Sprintf("setmetatable({}, {__index = function() return %s(%s) end}).field", f, args)
	}
	return fmt.Sprintf("%s(%s)", f, args)
}

func values(t *rapid.T, n int) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"1", "'s'", "nil", "{}==nil", "2.5", "f0(7)", "(f0())"}), n, n).Draw(t, "values")
}

func results(t *rapid.T, i int, variadic bool) string {
	all := values(t, rapid.IntRange(0, 4).Draw(t, "results"))
	switch last := rapid.IntRange(0, 2).Draw(t, "last"); {
	case last == 1 && variadic:
		all = append(all, "...")
	case last == 2:
		all = append(all, call(t, i))
	}
	return strings.Join(all, ", ")
}

// printed is what a program prints, and its error.
func printed(L *glua.LState, program string) string {
	defer L.Close()
	var b strings.Builder
	L.SetGlobal("print", L.NewFunction(func(L *glua.LState) int {
		for i := 1; i <= L.GetTop(); i++ {
			fmt.Fprint(&b, L.Get(i), " ")
		}
		b.WriteByte('\n')
		return 0
	}))
	if err := L.DoString(program); err != nil {
		fmt.Fprintln(&b, err)
	}
	return b.String()
}

// meteredState executes everything in the direct loop.
func meteredState() *glua.LState {
	m := vm.New(vm.Best, 200, func() {})
	m.Left = 1 << 40
	L := glua.NewState(m.Small(1 << 16))
	m.Attach(L)
	return L
}
