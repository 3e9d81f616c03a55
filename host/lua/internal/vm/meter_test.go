package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

const program = `
	local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
	local t = setmetatable({}, {__index = function(_, k) return fib(k) end})
	for i = 1, 10 do t.x = t[i] end
	table.sort({3, 1, 2}, function(a, b) return a < b end)
	pcall(function() error("x") end)
	return (("abc"):gsub(".", function(c) return c .. c end))`

// expiries runs the program and counts how often a slice of the given size is used up.
func expiries(t *testing.T, kind vm.Kind, small bool, slice int64) (n int) {
	var m *vm.Meter
	m = vm.New(kind, glua.CallStackSize, func() {
		n++
		m.Left = slice - 1
	})
	m.Left = slice
	o := m.Full(glua.RegistrySize)
	if small {
		o = m.Small(glua.RegistrySize)
	}
	L := glua.NewState(o)
	defer L.Close()
	m.Attach(L)
	require.NoError(t, L.DoString(program))
	require.Equal(t, "aabbcc", L.Get(-1).String())
	return n
}

func TestAllLoopsCountTheSameInstructions(t *testing.T) {
	all := expiries(t, vm.Context, false, 1)
	require.Greater(t, all, 1000)
	for _, slice := range []int64{1, 2, 3, 10, 1000} {
		want := expiries(t, vm.Context, false, slice)
		require.Equal(t, want, expiries(t, vm.Context, true, slice))
		require.Equal(t, want, expiries(t, vm.Best, false, slice))
		require.Equal(t, want, expiries(t, vm.Best, true, slice))
		require.InDelta(t, float64(all)/float64(slice), want, 1)
	}
}

func TestNothingExpiresWithinTheBudget(t *testing.T) {
	all := int64(expiries(t, vm.Best, true, 1))
	require.Zero(t, expiries(t, vm.Best, true, all+1))
	require.Equal(t, 1, expiries(t, vm.Best, true, all))
}

func TestTheContextLoopIsTakenWhenItIsAskedFor(t *testing.T) {
	require.False(t, vm.New(vm.Context, 256, func() {}).Direct())
}

func TestAContextThatCountsIsNeverDone(t *testing.T) {
	L := glua.NewState()
	defer L.Close()
	vm.New(vm.Context, 256, func() {}).Attach(L)
	ctx := L.Context()
	require.NoError(t, ctx.Err())
	require.Nil(t, ctx.Value("key"))
	_, limited := ctx.Deadline()
	require.False(t, limited)
}

func TestASmallThreadGrowsToItsLimits(t *testing.T) {
	for _, kind := range []vm.Kind{vm.Best, vm.Context} {
		for _, depth := range []int{2, 10, 39, 40, 41, 42, 63, 64, 65, 100, 1000, 20_000} {
			require.Equal(t, reached(t, kind, false, depth), reached(t, kind, true, depth), depth)
		}
	}
	o := vm.New(vm.Best, 100, func() {}).Small(1000)
	require.Less(t, o.RegistrySize, 100)
	require.Equal(t, 1000, o.RegistryMaxSize)
	require.Equal(t, 10, vm.New(vm.Best, 100, func() {}).Small(10).RegistrySize)
}

// reached is how deep a recursion comes before it fails.
func reached(t *testing.T, kind vm.Kind, small bool, depth int) (n int) {
	m := vm.New(kind, depth, func() {})
	m.Left = 1 << 40
	o := m.Full(1 << 20)
	if small {
		o = m.Small(1 << 20)
	}
	root := glua.NewState()
	defer root.Close()
	root.Options = o
	root.Register("deeper", func(*glua.LState) int { n++; return 0 })
	fn, err := root.LoadString(`local function f() deeper() return 1 + f() end f()`)
	require.NoError(t, err)
	L, _ := root.NewThread()
	m.Attach(L)
	L.Panic = func(L *glua.LState) { panic(L.Get(-1).String()) } // tracebacks of deep threads take long
	defer func() { require.Contains(t, recover(), "stack overflow") }()
	L.Push(fn)
	L.Call(0, 0)
	return n
}

func TestAFullThreadIsLikeOneOfGopherLua(t *testing.T) {
	L := glua.NewState()
	defer L.Close()
	require.Equal(t, L.Options, vm.New(vm.Best, glua.CallStackSize, func() {}).Full(glua.RegistrySize))
}
