package main

import (
	"context"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/stackful"
)

// kernels are functions of wasm that take the number of operations.
const kernels = `
	import "env" "pause" pause ()
	memory 1
	func loop (i64) export loop
		local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
	end end
	func loads (i64) export
		locals i32 i64
		loop
			local.get 1 i64.load local.get 2 i64.add local.set 2
			local.get 1 i64.load offset=8 local.get 2 i64.xor local.set 2
			local.get 1 i64.load offset=16 local.get 2 i64.add local.set 2
			local.get 1 i32.const 24 i32.add i32.const 32767 i32.and local.set 1
			local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
		end
	end
	func calls (i64) export loop
		i64.const 20 call fib drop
		local.get 0 i64.const 20000 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
	end end
	func fib (i64) (i64)
		local.get 0 i64.const 2 i64.lt_s if i64 local.get 0
		else
			local.get 0 i64.const 1 i64.sub call fib
			local.get 0 i64.const 2 i64.sub call fib
			i64.add
		end
	end
	func pauses (i64) export loop
		call pause
		local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
	end end`

// wasmOnFiber runs a kernel as a fiber, metered, preempted after every slice of the default
// length; a pause suspends the fiber.
func wasmOnFiber(kernel string) func(int) time.Duration {
	return func(n int) (took time.Duration) {
		rt := wasm.New(wasm.Config{})
		defer rt.Close()
		must(rt.Define("env", wasm.Function{Name: "pause",
			Do: func(c *wasm.Caller, _ []uint64) error { return c.Fiber.Yield() }}))
		m := mustGet(rt.Compile("bench", asm.Assemble(kernels)))
		mustGet(rt.Fibers().Go("", func(f *stackful.Fiber) (any, error) {
			i := mustGet(m.Instantiate(f, nil))
			start := time.Now()
			mustGet(i.Call(f, kernel, uint64(n)))
			took = time.Since(start)
			return nil, nil
		}))
		must(rt.Fibers().Run(context.Background()))
		return took
	}
}

// wasmBare is the peer: the same kernel on plain wazero, where a pause calls a Go function that
// returns at once.
func wasmBare(kernel string) func(int) time.Duration {
	return func(n int) time.Duration {
		ctx := context.Background()
		engine := wazero.NewRuntime(ctx)
		defer engine.Close(ctx)
		mustGet(engine.NewHostModuleBuilder("env").NewFunctionBuilder().
			WithGoFunction(api.GoFunc(func(context.Context, []uint64) {}), nil, nil).Export("pause").Instantiate(ctx))
		m := mustGet(engine.Instantiate(ctx, asm.Assemble(kernels)))
		start := time.Now()
		mustGet(m.ExportedFunction(kernel).Call(ctx, uint64(n)))
		return time.Since(start)
	}
}

// wasmRows compare metered wasm on fibers with plain wazero: the cost of preemption for CPU-bound
// programs, and a wait in a host function beside a switch of coroutines.
func wasmRows() []row {
	rows := []row{{id: "P26", work: "wasm host call that yields", peer: "iter.Pull there and back", goal: 5, atMost: true, n: 200_000,
		ours: wasmOnFiber("pauses"), theirs: pull}}
	for _, kernel := range []string{"loop", "loads", "calls"} {
		rows = append(rows, row{id: "P27", work: "wasm " + kernel + ", a turn", peer: "bare wazero", goal: 2.2, atMost: true, n: 20_000_000,
			ours: wasmOnFiber(kernel), theirs: wasmBare(kernel)})
	}
	return rows
}
