// Package wasm runs WebAssembly (wazero's) on fibers: an instance's code runs on a
// stackful.Fiber, and is put aside wherever it is.
//
//	rt := wasm.New(wasm.Config{})
//	defer rt.Close()
//	module, err := rt.Compile("worker.wasm", binary)
//	rt.Fibers().Go("worker", func(f *stackful.Fiber) (any, error) {
//		worker, err := module.Instantiate(f, nil)
//		if err != nil {
//			return nil, err
//		}
//		defer worker.Close()
//		return worker.Call(f, "run", 42)
//	})
//	err = rt.Fibers().Run(ctx)
//
// What happens, and what comes of it:
//
//	a slice of instructions is used up       the fiber goes to the back of the queue
//	a host function waits                    its fiber waits, with all the calls it is in
//	a host function calls into wasm          a call on the same stack; the scheduler knows
//	                                         it as a trampoline
//	a host function returns an error         the wasm code that called it unwinds
//	a host function panics                   the same, with a *HostPanic
//	the code traps, or overflows its stack   the same, with a Trap
//	the fiber is cancelled or killed         the same, with a *stackful.Interrupt
//
// In each case Call returns a *CallError, and the instance can be called again. A killed
// fiber is interrupted anew at the end of every slice and in every call of a Fiber, so
// neither wasm nor a host function that drops the error can go on for ever.
//
// The unit of a slice (Config.Runtime.Budget) is one wasm instruction, as counted by
// package meter. A slice belongs to the fiber: instances that call each other share it, and
// one that a wait has cut short goes on after it. A native instruction that works on much
// memory, as memory.fill, is not interrupted.
//
// Compilers for languages with a stack in linear memory, as LLVM and TinyGo, make code
// that cannot take turns with itself: an instance is used by one fiber at a time, and
// ErrBusy says so to others. Instances are cheap next to modules; give each fiber its own.
//
// wazero compiles to machine code on amd64 and arm64, and interprets elsewhere.
//
// What this package never does: share an instance between fibers, run wasm outside of a
// fiber, or let a panic of guest or host function reach the scheduler.
package wasm
