// Package live measures how much memory the values take that a Lua program can reach. host/lua uses
// it for the memory quota.
//
// A Walk visits each object once, from what the host adds as roots: tables with their array and hash
// parts, strings, functions with their variables and code, threads with their registers and frames,
// and the values that a Go object of a library holds (Holder). It works in steps, so that the fiber
// that pays for it can be preempted. The program does not run between the steps.
//
// Sizes are those of Go's allocator. What is found by its address:
//
//	what                               how
//	array part, keys of the hash part  capacity
//	maps of the hash part              the capacity that the runtime gave them; of one with more than
//	                                   896 entries, that of a map which has grown to its size
//	strings                            each array of bytes once, each reference to it 16 bytes; of
//	                                   less than 16 bytes with each reference
//	numbers                            gopher-lua allocates 32 at a time: 256 bytes for each such
//	                                   block of which a number is in use; small integers take none
//	keys that were deleted             count, because gopher-lua keeps them
//
// The set of visited addresses takes a bit for 16 bytes: about 2 % of the memory that is measured. The
// list of objects that are being visited takes 24 bytes for each link of the longest chain of references.
//
// With another version of gopher-lua, or the build tag purego, addresses are not known, and
// sizes are estimates: see plain.
//
// A Walk owns its set and its list. What this package never does: change an object that it visits, or
// keep a Walk's state anywhere else.
package live
