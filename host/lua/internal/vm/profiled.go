package vm

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/profile"
)

// profiled is what a Meter whose threads are profiled has.
type profiled struct {
	sampler *profile.Sampler
	take    func(Point)
}

// Profile makes the threads that are attached later ask the Sampler after each instruction, and call take when
// a sample is due. It returns false if they cannot: only the direct loop knows the instructions.
func (m *Meter) Profile(s *profile.Sampler, take func(Point)) bool {
	if m.direct == nil {
		return false
	}
	m.profiled = &profiled{s, take}
	return true
}

// Sampled is a call in a sample.
type Sampled struct {
	Code *glua.FunctionProto // of a Lua function; nil for a Go function
	Line int                 // that executes; 0 if it is not known
	Go   *glua.LFunction     // a Go function; nil if it is not known, or the call is of a Lua function
	Name string              // of a Go function, as its caller names it; "" if the caller has no name for it
}
