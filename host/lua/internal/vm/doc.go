// Package vm reaches what gopher-lua does not export: it counts the instructions that
// are executed, and calls back when a slice of them is used up (Meter); and it keeps
// caught errors away from variables that are still in use (Guard).
//
// gopher-lua has one hook that is reached at every instruction: the Done method of a
// state's context. It works with any version of gopher-lua, and it costs a fifth to a
// third of the run time of a program, because a method call and a channel operation
// stand beside each instruction. Counting takes a decrement.
//
// So there are two kinds of loop, and they count alike:
//
//	loop     counts in                       run time of fannkuch, bare = 1
//	direct   a copy of mainLoop, 8 lines     1.02; 1.07 where the depth is looked at too
//	context  Context.Done                    1.30
//
// A direct loop needs what gopher-lua does not export: its table of instructions and
// the place of some fields of its state. The table is linked by name, the fields are
// found by reflection when a Meter is made. It also lets call stacks and registries grow
// with the depth, and limits the calls that are nested on the Go stack. If any of that is not as expected (another
// version of gopher-lua, the build tag purego), the context loop is taken: slower, but
// right.
//
// A Guard has no other way: without it, gopher-lua's own protected calls are used.
//
// What this package never does: know what a fiber is, keep state outside a Meter, or
// write to a field of gopher-lua's other than mainLoop, the pc, the list of frame segments
// and the growth of the registry, and, for a Guard, the current frame and the list of open
// upvalues.
package vm
