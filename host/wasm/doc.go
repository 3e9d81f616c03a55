// Package wasm runs WebAssembly (that of wazero) on fibers: the code of an instance executes on a
// stackful.Fiber, and is preempted at the end of its time slice. host/wasm/fibers uses it to run
// programs; an embedder can use it alone.
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
// Events and their effects:
//
//	a time slice of instructions ends        the fiber goes to the end of the ready queue
//	a host function waits                    its fiber waits, with all its calls
//	a host function calls wasm               a call on the same stack, which the scheduler
//	                                         knows as a trampoline
//	a host function returns an error         the wasm code that called it unwinds
//	a host function panics                   the same, with a *HostPanic
//	the code traps, or overflows its stack   the same, with a Trap
//	the fiber is cancelled or killed         the same, with a *stackful.Interrupt
//
// When code unwinds, Call returns a *CallError, and the instance can be called again. A killed
// fiber is interrupted again at the end of every time slice and in every operation of its Fiber,
// so that neither wasm nor a host function that ignores the error can continue without end.
//
// The unit of a time slice (Config.Runtime.Budget) is one wasm instruction, as counted by package
// meter. A time slice belongs to the fiber: instances that call each other share it, and after a
// wait the fiber continues with the rest of it. An instruction on much memory, such
// as memory.fill, costs a unit for each 256 bytes and is preempted too.
//
// Compilers for languages with a stack in linear memory, such as LLVM and TinyGo, generate code
// that two fibers cannot execute in turns. So one fiber at a time uses an instance, and others
// get ErrBusy. Instances are cheap compared with modules: give each fiber its own.
//
// wazero compiles to machine code on amd64 and arm64, and interprets on other processors.
//
// The table it owns is the Runtime's: the innermost call of each fiber. What this package never
// does: share an instance between fibers, execute wasm outside of a fiber, or let a panic of a
// guest or host function reach the scheduler.
package wasm
