//go:build purego

package vm

import glua "github.com/yuin/gopher-lua"

// direct is never had in this build.
type direct struct{}

func newDirect(*Meter) *direct { return nil }

func (*direct) attach(*glua.LState) {}
