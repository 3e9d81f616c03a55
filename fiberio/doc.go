// Package fiberio is what the fibers of a stackful.Runtime have of the world outside:
// connections, files, names, processes and HTTP, on Go's own net, os, os/exec and net/http.
// Every wait is a fiber's.
//
//	world, err := fiberio.New(rt, fiberio.Config{})
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
// The table it owns: nothing but what is open. Who does what an operation needs:
//
//	operation                       on                      a fiber that gives up
//	file, Do                        one of Config.Workers   it goes on, its result is dropped
//	accept, read, write             a goroutine of its own  it ends at once; nothing that has
//	                                                        come is lost: the next one has it
//	dial, lookup, process, HTTP     a goroutine of its own  its context ends; what it made is
//	                                                        closed, what it started is killed
//
// So connections that are idle for hours take no worker from the files. Calls end in four
// ways: well, with the error of net, os or os/exec (which says what was tried), with
// stackful.ErrTimeout at their deadline, with a *stackful.Interrupt. The deadline is an
// instant of the scheduler; fiber.Never is none.
//
// It is for real time. Virtual time jumps when no fiber can run, whatever the world
// outside is about to do, so that under it every deadline passes before anything comes.
//
// What it never does: start a goroutine that it does not join, lend a caller's memory to an
// operation that may outlive the call, or use a descriptor by its number: an operation holds
// the Go object, which is closed for good before the number is given to another.
package fiberio
