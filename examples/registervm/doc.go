// Command registervm runs programs of a register machine on fibers. It is the example of a VM with
// machine code, such as that of a JIT, which is left by exits and entered again.
//
//	go run ./examples/registervm examples/registervm/programs/sort.reg
//
// The machine code is Go closures with their operands bound, in place of what a JIT emits. While a
// fiber waits nothing of it is on a native stack: its state is its registers. The sort is native code
// of the same kind. It calls the guest for each comparison by trampoline.Reenter, keeps its own
// state in a value, and returns to the scheduler when a comparison waits; when the fiber runs again,
// the sort is entered again and continues the call. So fibers that wait cost no stacks, a kill has
// nothing to unwind, and the waits of any number of sorts may cross.
//
// The machine is vm.go, what the fibers share; execution.go, which enters the machine code and leaves
// it; waits.go and sort.go, the instructions that wait. The language of the guest is assemble.go and
// operations.go. The programs are in programs, with what they print beside them.
//
// What it never does: keep anything of a fiber on the Go stack between two slices.
package main
