// Package tree is the ways through the syntax tree of a Lua chunk.
//
// It owns nothing. What it never does: change a tree.
package tree
