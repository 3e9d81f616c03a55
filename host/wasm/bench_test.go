package wasm_test

import (
	"context"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/stackful"
)

const loops = `
	func tight (i64) export loop
		local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
	end end
	memory 1
	func sum (i64) (i64) export
		locals i32 i64
		loop
			i32.const 0 local.set 1
			loop
				local.get 1 i64.load local.get 2 i64.add local.set 2
				local.get 1 i64.load offset=8 local.get 2 i64.xor local.set 2
				local.get 1 i64.load offset=16 local.get 2 i64.add local.set 2
				local.get 1 i32.const 24 i32.add local.tee 1 i32.const 65000 i32.lt_u br_if 0
			end
			local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0
		end
		local.get 2
	end
	func fib (i64) (i64) export
		local.get 0 i64.const 2 i64.lt_s if i64 local.get 0
		else
			local.get 0 i64.const 1 i64.sub call fib
			local.get 0 i64.const 2 i64.sub call fib
			i64.add
		end
	end`

// kernels are functions and arguments that take some milliseconds.
var kernels = map[string]uint64{"tight": 10_000_000, "sum": 1000, "fib": 30}

// BenchmarkUnmetered is wazero alone, to compare BenchmarkMetered with.
func BenchmarkUnmetered(b *testing.B) {
	ctx := context.Background()
	engine := wazero.NewRuntime(ctx)
	defer engine.Close(ctx)
	m, err := engine.Instantiate(ctx, asm.Assemble(loops))
	if err != nil {
		b.Fatal(err)
	}
	for name, arg := range kernels {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := m.ExportedFunction(name).Call(ctx, arg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMetered(b *testing.B) {
	for name, arg := range kernels {
		b.Run(name, func(b *testing.B) { onFiber(b, loops, name, arg) })
	}
}

// onFiber calls the function again and again.
func onFiber(b *testing.B, text, name string, arg uint64) {
	rt := wasm.New(wasm.Config{})
	defer rt.Close()
	if err := rt.Define("env", wasm.Function{Name: "yield", Params: i64s(1), Results: i64s(1),
		Do: func(c *wasm.Caller, _ []uint64) error { return c.Fiber.Yield() }}); err != nil {
		b.Fatal(err)
	}
	m, err := rt.Compile("bench", asm.Assemble(text))
	if err != nil {
		b.Fatal(err)
	}
	task, err := rt.Fibers().Go("bench", func(f *stackful.Fiber) (any, error) {
		i, err := m.Instantiate(f, nil)
		if err != nil {
			return nil, err
		}
		for b.Loop() {
			if _, err := i.Call(f, name, arg); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := rt.Fibers().Run(context.Background()); err != nil {
		b.Fatal(err)
	}
	if _, err, _ := task.Result(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkSwitch is a thousand host calls that each suspend the fiber.
func BenchmarkSwitch(b *testing.B) { onFiber(b, spinner, "yields", 1000) }

// BenchmarkInstance is the life of an instance with a page of memory: made, called, closed.
func BenchmarkInstance(b *testing.B) {
	rt := wasm.New(wasm.Config{})
	defer rt.Close()
	m, err := rt.Compile("bench", asm.Assemble(loops))
	if err != nil {
		b.Fatal(err)
	}
	_, _ = rt.Fibers().Go("bench", func(f *stackful.Fiber) (any, error) {
		for b.Loop() {
			i, err := m.Instantiate(f, nil)
			if err != nil {
				b.Error(err)
				break
			}
			if _, err := i.Call(f, "fib", 1); err != nil {
				b.Error(err)
			}
			i.Close()
		}
		return nil, nil
	})
	if err := rt.Fibers().Run(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCall is a call of a trivial function.
func BenchmarkCall(b *testing.B) { onFiber(b, loops, "fib", 1) }
