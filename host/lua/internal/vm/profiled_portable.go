//go:build purego

package vm

import glua "github.com/yuin/gopher-lua"

// Point does not exist in this build: nothing is profiled.
type Point struct{}

// Append is not called.
func (Point) Append(to []Call) []Call { return to }

// Calls is not called.
func (*Meter) Calls(to []Call, _ *glua.LState) []Call { return to }

// NameFunctions is not called.
func NameFunctions(*glua.FunctionProto, func(*glua.FunctionProto, string) bool) {}
