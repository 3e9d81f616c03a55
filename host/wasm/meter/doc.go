// Package meter makes WebAssembly programs preemptible: it rewrites a binary module so that its code
// counts the instructions that it executes, and calls the host when its fuel is used up.
// host/wasm uses it for every module that it compiles.
//
// The new module has an additional global, a mutable i64 exported as Fuel, and an additional
// import, the function Preempt of the module Host. This code is inserted at the entry of every
// function and at the head of every loop:
//
//	fuel = fuel - cost
//	if fuel < 0 { preempt() }
//
// The unit is one instruction. The cost at an entry or a head is the number of instructions of
// that function, or of that loop, without those of the loops inside it; both arms of an if count.
// So a program never executes more units than it has paid for, but pays for some that it does not
// execute. An instance begins without fuel: the host must set it before the first call.
//
// An instruction with an operand for its length is also charged for the work: a unit for each 256
// bytes, rounded up, where a page of memory is 65,536 bytes and an entry of a table 8. memory.fill and
// memory.copy do at most 64 units at once: code that is added to the module does them in parts, and
// pays for each before. memory.init and what works on tables are charged at once, before; they are
// limited by the size of the module and by Options.TableEntries. memory.grow is charged for the pages
// that are asked for, also if it fails.
//
//	part                             change
//	imports                          an additional function behind all others
//	function indices                 those of the module's own functions increase by one:
//	                                 in code, elements, start, exports and names
//	types, globals, exports          additional ones behind all others
//	functions                        three behind all others, for charges by length
//	tables                           get a maximum, unless theirs is lower
//	.debug_*, metadata.code.*        removed: they refer to positions in the code
//	everything else                  copied byte for byte
//
// It reads what wazero reads by default, WebAssembly 2.0 with SIMD, and also tail calls and
// extended constant expressions. It checks the counts in what it copies: a vector that claims
// more entries than there are bytes is an error, so that a decoder can trust the counts in the
// new module.
//
// It owns nothing. What it never does: validate types (the engine does), or panic on any input.
package meter
