package vm

import "github.com/selvage-dev/selvage/profile"

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
