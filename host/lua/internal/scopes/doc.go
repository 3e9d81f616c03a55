// Package scopes compiles a chunk by gopher-lua's compiler, and corrects where local variables end. host/lua
// uses it when it compiles a chunk.
//
// The compiler notes for each local variable where its scope begins and ends (FunctionProto.DbgLocals), but notes
// the end with the number of the variable's register, as if that was the number of the variable. So from
// the second variable with the same register on, the ends are wrong:
//
//	do local a = 1 end
//	local b = 2         its end is noted as that of a, and b has none
//
// Here the nodes of the tree get the number of their block, above their line, while the compiler works: it gives each
// instruction the line of its node. Afterwards a variable ends with the last instruction of its block, which
// belongs to its scope.
//
// It owns the marks while a chunk is compiled. What it never does: change instructions or lines.
package scopes
