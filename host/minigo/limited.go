package minigo

import (
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// Limited is a function for Call, CallInto and Start whose call has quotas of its own, beside those of
// the Host. When one is passed, the goroutine of the call and those that it has started end, without deferred calls,
// and the error of the call has the *quota.Error; the Host continues. Memory is that of the whole Host, and
// has no limit here.
type Limited struct {
	Func  any // what Call takes
	Quota quota.Limits
}

func withoutLimits(function any) (any, quota.Limits) {
	if l, ok := function.(Limited); ok {
		l.Quota.Memory = 0
		return l.Func, l.Quota
	}
	return function, quota.Limits{}
}

// Group has all goroutines of the program, for its owner: to limit its rate, or to weigh it against other Groups
// of Scheduler (SetRate, SetWeight). Its steps are counted at the end of each time slice from the
// first call of Group on. It is nil in a Run without Config.Pausable and Config.Quota that has begun
// before.
func (h *Host) Group() *scheduler.Group { return h.machine.SettleEachSlice() }
