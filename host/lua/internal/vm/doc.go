// Package vm uses parts of gopher-lua that are not exported. A Meter counts the instructions of a
// program, and calls back at the end of a time slice. A Guard protects variables that are still
// in use from errors that are caught. host/lua uses both.
//
// gopher-lua has one hook that is reached at every instruction: the method Done of a state's
// context. It works with any version of gopher-lua, but costs a fifth to a third of the run time
// of a program, for a method call and a channel operation at each instruction. A count needs
// only a decrement.
//
// So there are two kinds of loop, which count the same:
//
//	loop     counts in                       run time of fannkuch, bare = 1
//	direct   a copy of mainLoop, 8 lines     1.02; 1.07 with a check of the depth
//	context  Context.Done                    1.30
//
// The direct loop needs gopher-lua's table of instructions, which is linked by name, and the
// offsets of some fields of its state, which are found by reflection when a Meter is made. It
// also lets call stacks and registries grow with the depth, and limits the calls that are nested
// on the Go stack. If anything there is not as expected (another version of gopher-lua, the build
// tag purego), the context loop is used, which is slower and equally correct.
//
// A Guard has no such alternative: without it, gopher-lua's own protected calls are used.
//
// A Meter owns its counter and the loops of its threads; there is no other state. What this
// package never does: know what a fiber is, or write to a field of gopher-lua other than
// mainLoop, the pc, the context, the array of call frames and the growth of the registry, and, for
// a Guard, the current frame and the list of open upvalues.
package vm
