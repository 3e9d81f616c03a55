// Package fiberio does input and output for the fibers of a stackful.Runtime: connections,
// files, host names, processes and HTTP, by Go's own net, os, os/exec and net/http. A call
// blocks its fiber and no other.
//
//	world, err := fiberio.New(rt, fiberio.Config{Access: sandbox.Access{Dial: []string{"example.org:80"}}})
//	defer world.Close(ctx)
//	rt.Go("client", func(f *stackful.Fiber) (any, error) {
//		c, err := world.Dial(f, "tcp", "example.org:80", f.Within(time.Second))
//		if err != nil {
//			return nil, err
//		}
//		defer c.Close()
//		...
//	})
//
// It owns the open connections of its HTTP client and two pools of package blocking. Where an
// operation runs, and what happens when its fiber gives up (deadline, cancel or kill):
//
//	operation                       runs on                  when the fiber gives up
//	file, Do                        one of Config.IOWorkers  it goes on, its result is dropped
//	accept, read, write             a goroutine of its own   it ends at once; the next call gets
//	                                                         what has arrived
//	dial, lookup, process, HTTP     a goroutine of its own   its context ends; its result is
//	                                                         closed, its process killed
//
// So connections that are idle for hours take no worker from the files. A call returns its
// result, a *sandbox.AccessError if Config.Access does not allow it, an error of net, os or
// os/exec (which names what was tried), stackful.ErrTimeout at its deadline, or a
// *stackful.Interrupt. The deadline is an instant of the scheduler; fiber.Never is none.
//
// It is for real time. Virtual time jumps to the next deadline when no fiber can run, so every
// deadline would pass before bytes arrive; see Config.InPlace.
//
// It never starts a goroutine that it does not join, never lends a caller's memory to an
// operation that may outlive the call, and never uses a descriptor by its number: an operation
// holds the Go object, which is closed before the number is used again.
//
// Its users are host/lua/fibers and host/wasm/fibers, and Go programs on package stackful.
package fiberio
