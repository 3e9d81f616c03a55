package lua_test

import (
	"fmt"
	"os"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/stack"
)

// alone carries a program that has its goroutine for itself.
type alone struct{ polls int }

func (*alone) Budget() int64 { return 10_000 }
func (*alone) Used(int64)    {}

func (a *alone) Poll() error { a.polls++; return nil }

func ExampleState() {
	state := lua.New(lua.Config{Stdout: os.Stdout})
	defer state.Close()
	state.Base().SetGlobal("greeting", glua.LString("hello"))

	program, err := state.Load(strings.NewReader(`print(greeting, ...) return 6 * 7`), "hello.lua")
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := state.Main().Run(&alone{}, program, glua.LString("world"))
	fmt.Println(results, err)
	// Output:
	// hello	world
	// [42] <nil>
}

func ExampleThread() {
	state := lua.New(lua.Config{})
	defer state.Close()
	program, _ := state.Load(strings.NewReader("local x = nil\nreturn x.field"), "broken.lua")
	_, err := state.Main().Run(&alone{}, program)
	fmt.Println(err)
	// Output:
	// broken.lua:2: attempt to index a non-table object(nil) with key 'field'
	// stack traceback:
	// 	broken.lua:2: in main chunk
	// 	[G]: ?
}

// rider is a Carrier on a stack: when its budget is used up, it suspends the stack.
type rider struct{ stack *stack.Stack }

func (*rider) Budget() int64 { return 10_000 }
func (*rider) Used(int64)    {}

func (r *rider) Poll() error { r.stack.Suspend(); return nil }

func ExampleCarrier() {
	state := lua.New(lua.Config{Stdout: os.Stdout})
	defer state.Close()
	program, _ := state.Load(strings.NewReader(`while true do end`), "loop.lua")

	r := &rider{}
	r.stack = stack.New(stack.Coroutine, func(*stack.Stack) { _, _ = state.Main().Run(r, program) })
	slices := 0
	for slices < 5 && !r.stack.Resume() {
		slices++
	}
	r.stack.Close()
	fmt.Println(slices, "slices, then", r.stack.Err())
	// Output: 5 slices, then stack: closed
}

func ExampleConfig() {
	var out strings.Builder
	state := lua.New(lua.Config{Stdout: &out, MaxDepth: 20})
	defer state.Close()
	program, _ := state.Load(strings.NewReader(`
		local function f() return 1 + f() end
		print(pcall(f))`), "deep.lua")
	_, _ = state.Main().Run(&alone{}, program)
	fmt.Print(out.String())
	// Output: false	deep.lua:2: stack overflow
}

// States of several goroutines execute one prototype.
func ExampleCompile() {
	proto, err := lua.Compile(strings.NewReader(`return 6 * ...`), "times.lua")
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 2 {
		state := lua.New(lua.Config{})
		fn := state.Base().NewFunctionFromProto(proto)
		fmt.Println(state.Main().Run(&alone{}, fn, glua.LNumber(i)))
		state.Close()
	}
	// Output:
	// [0] <nil>
	// [6] <nil>
}
