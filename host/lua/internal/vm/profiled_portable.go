//go:build purego

package vm

import (
	"iter"

	glua "github.com/yuin/gopher-lua"
)

// Point does not exist in this build: nothing is profiled.
type Point struct{}

// Calls is not called.
func (Point) Calls() iter.Seq[Call] { return nil }

// NameFunctions is not called.
func NameFunctions(*glua.FunctionProto, func(*glua.FunctionProto, string) bool) {}
