//go:build purego

package vm

import (
	"context"
	"iter"

	glua "github.com/yuin/gopher-lua"
)

// direct does not exist in this build.
type direct struct {
	place places
	first int
}

type places struct{}

func (*places) contextOf(*glua.LState) *context.Context { return nil }

func (*places) hasStrings(*glua.LTable) bool { return false }

func (*places) registers(*glua.LState) int { return 0 }

func (*places) arrayLength(*glua.LTable) int { return 0 }

func (*places) arrayOf(*glua.LTable) *[]glua.LValue { return nil }

func (*places) keysOf(*glua.LTable) *[]glua.LValue { return nil }

func (*places) numbersOf(*glua.LTable) *map[glua.LValue]int { return nil }

func newDirect(*Meter) *direct { return nil }

func (*direct) count(*Meter) {}

func (*direct) useLong(*Meter) {}

func (*direct) attach(*Meter, *glua.LState) *int { return nil }

// Guard does not exist in this build.
type Guard struct{}

// Mark is empty in this build.
type Mark struct{}

// NewGuard is nil.
func NewGuard() *Guard { return nil }

// Enter is not called.
func (*Guard) Enter(*glua.LState) Mark { return Mark{} }

// Leave is not called.
func (*Guard) Leave(*glua.LState, Mark) {}

// Unwind is not called.
func (*Guard) Unwind(*glua.LState, Mark) {}

// Close is not called.
func (*Guard) Close(*glua.LState) {}

// TailCalls is not called.
func (*Guard) TailCalls(*glua.LState) int { return 0 }

// Calls is not called.
func (*Guard) Calls(*glua.LState) iter.Seq[Call] { return nil }

// Discarded is not called.
func (*Guard) Discarded(*glua.LState) bool { return false }
