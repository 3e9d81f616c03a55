package wasm_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/stackful"
)

func i64s(n int) (types []api.ValueType) {
	for range n {
		types = append(types, api.ValueTypeI64)
	}
	return types
}

// start runs a function of an instance of its own on a fiber of its own.
func start(rt *wasm.Runtime, m *wasm.Module, function string, args ...uint64) *stackful.Task {
	task, err := rt.Fibers().Go(m.Name(), func(f *stackful.Fiber) (any, error) {
		i, err := m.Instantiate(f, nil)
		if err != nil {
			return nil, err
		}
		defer i.Close()
		return i.Call(f, function, args...)
	})
	if err != nil {
		panic(err)
	}
	return task
}

// Two guests sleep in the middle of their machine code, at the same time.
func Example() {
	rt := wasm.New(wasm.Config{})
	defer rt.Close()
	err := rt.Define("env", wasm.Function{
		Name: "sleep", Params: i64s(1),
		Do: func(c *wasm.Caller, stack []uint64) error {
			return c.Fiber.Sleep(time.Duration(stack[0]) * time.Second)
		},
	})
	if err != nil {
		panic(err)
	}
	m, err := rt.Compile("nap.wasm", asm.Assemble(`
		import "env" "sleep" sleep (i64)
		func nap (i64) (i64) export
			local.get 0 call sleep
			local.get 0 i64.const 100 i64.mul
		end`))
	if err != nil {
		panic(err)
	}
	one, two := start(rt, m, "nap", 3), start(rt, m, "nap", 4)
	fmt.Println(rt.Fibers().Run(context.Background()))
	fmt.Println(one.Result())
	fmt.Println(two.Result())
	fmt.Println(time.Duration(rt.Fibers().Scheduler().Now()))
	// Output:
	// <nil>
	// [300] <nil> true
	// [400] <nil> true
	// 4s
}

// A guest that never returns is told to.
func ExampleCallError() {
	rt := wasm.New(wasm.Config{})
	defer rt.Close()
	m, err := rt.Compile("busy.wasm", asm.Assemble("func run () export loop br 0 end end"))
	if err != nil {
		panic(err)
	}
	busy := start(rt, m, "run")
	_, _ = rt.Fibers().Go("impatient", func(f *stackful.Fiber) (any, error) {
		_ = f.Yield()
		return nil, rt.Fibers().Scheduler().Cancel(busy.ID(), errors.New("that was enough"))
	})
	_ = rt.Fibers().Run(context.Background())
	_, err, _ = busy.Result()
	var failed *wasm.CallError
	fmt.Println(errors.As(err, &failed), failed.TakeInterrupt())
	fmt.Println(err)
	// Output:
	// true true
	// busy.wasm: run: cancelled: that was enough
}

func ExampleTrap() {
	rt := wasm.New(wasm.Config{})
	defer rt.Close()
	m, err := rt.Compile("div.wasm", asm.Assemble("func run () i32.const 1 i32.const 0 i32.div_s drop end start run"))
	if err != nil {
		panic(err)
	}
	task := start(rt, m, "run")
	_ = rt.Fibers().Run(context.Background())
	_, err, _ = task.Result()
	fmt.Println(errors.Is(err, wasm.DivisionByZero))
	fmt.Println(err)
	// Output:
	// true
	// div.wasm: (start): trap: integer divide by zero
}
