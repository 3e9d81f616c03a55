// Package levels refuses Lua programs whose constructs are nested too deeply, before
// gopher-lua sees them.
//
// gopher-lua's compiler calls itself for each level of the syntax tree, and its parser
// keeps each level that is open. When the Go stack grows to 1 GB, Go ends the process and
// no recover helps: a million nots are enough. So the levels are counted
// first, by a look at the tokens that is as fast as reading them.
//
//	construct                       levels
//	name, number, string            0
//	expression, left side,          1 for each operator, field, index and call in it,
//	name of a function              on top of those of its deepest part
//	(…) […] {…} arguments           1 more than the deepest of what is inside
//	block, function, loop, if       1 more than the deepest statement inside
//	elseif                          1 more, for it and all that follows in the if
//
// These are never fewer than the syntax tree has. It has fewer where operators bind
// differently, and where parentheses only group.
//
// The tokens are read exactly as gopher-lua reads them, mistakes included: a program
// that looks like a string here and like code there could hide anything. Of programs
// that gopher-lua refuses, only this is promised: as far as it reads them, they have no
// more than Max levels.
//
// What this package never does: check the grammar, or build anything.
package levels
