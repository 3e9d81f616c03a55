// Package levels refuses Lua programs whose syntax is nested too deeply, before gopher-lua parses
// them. host/lua uses it when it compiles a chunk.
//
// gopher-lua's compiler recurses for each level of the syntax tree, and its parser keeps each
// level that is open. When the Go stack reaches 1 GB, Go ends the process, and recover cannot
// prevent that: a million nots are enough. So the levels are counted first, in one pass over the
// tokens.
//
//	construct                       levels
//	name, number, string            0
//	expression, left side,          1 for each operator, field, index and call in it,
//	name of a function              on top of those of its deepest part
//	(…) […] {…} arguments           1 more than the deepest of what is inside
//	block, function, loop, if       1 more than the deepest statement inside
//	elseif                          1 more, for it and all that follows in the if
//
// The count is an upper bound of the levels of the syntax tree. The tree has fewer where
// operators bind differently, and where parentheses only group.
//
// The tokens are read exactly as gopher-lua reads them, including its mistakes: code that looks
// like a string here could hide any depth. For a program that gopher-lua refuses, the promise
// is only that the part which gopher-lua reads has no more than Max levels.
//
// It owns nothing. What it never does: check the grammar, or build a tree.
package levels
