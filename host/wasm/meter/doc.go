// Package meter makes WebAssembly programs stop: it rewrites a binary module so that the
// code counts what it executes and calls the host when that has used up its fuel.
//
// The new module has one global more, a mutable i64 exported as Fuel, and one import more,
// the function Preempt of the module Host. At the entry of every function and at the head
// of every loop stands:
//
//	fuel = fuel - cost
//	if fuel < 0 { preempt() }
//
// The unit is one instruction. What is charged at an entry or a head is the number of
// instructions of that function, or of that loop, which stand in no loop inside it; both
// arms of an if count. So a program never executes more units than it has paid, and pays
// for some it does not execute. memory.fill and its like cost one unit whatever their
// length. An instance begins with no fuel: the host gives it some before its first call.
//
//	what                             becomes
//	imports                          one function more, behind all others
//	function indices                 those of the module's own functions, one more:
//	                                 in code, elements, start, exports and names
//	types, globals, exports          one more, behind all others
//	tables                           get a maximum, if they have none as low
//	.debug_*, metadata.code.*        left out: they speak of positions in the code
//	everything else                  copied byte for byte
//
// It reads what wazero reads by default, WebAssembly 2.0 with SIMD, and tail calls and
// extended constant expressions. It also looks at what it copies as far as counts go: a
// vector that claims more entries than there are bytes is an error here, so that whoever
// decodes the new module may believe the counts in it.
//
// What it never does: validate types (the engine will), or panic on any input.
package meter
