package starlark

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// Limited is a function for Call, CallInto and Start whose call has quotas of its own, beside those of the Host. When
// one is passed, the fibers of the call and those that they have spawned end, and the error of the call has the
// *quota.Error; the Host continues. Memory has no limit here.
type Limited struct {
	Func  any // what Call takes
	Quota quota.Limits
}

func withoutLimits(fn any) (any, quota.Limits) {
	if l, ok := fn.(Limited); ok {
		l.Quota.Memory = 0
		return l.Func, l.Quota
	}
	return fn, quota.Limits{}
}

// part is the Group for a call with these limits. The owner calls it.
func (h *Host) part(name string, l quota.Limits) *scheduler.Group {
	if l == (quota.Limits{}) {
		return h.group
	}
	return h.rt.Scheduler().Attachments().NewGroup(h.group, name, l)
}

// ender is the device that ends Serve when a quota of the Host was passed.
type ender Host

// Serve ends Serve.
func (e *ender) Serve([]fiber.Token) {
	if e.group.Account().Passed() != nil {
		e.control.StopServing()
	}
}
