package fibers

import (
	"github.com/selvage-dev/selvage/host/internal/control"
	"github.com/selvage-dev/selvage/stackful"
)

// driver says which goroutine runs a Runtime now: that of one Host, or that of a Shared.
type driver struct {
	rt    *stackful.Runtime
	owner control.Owner
}

// drives makes it the driver of a Runtime.
func (d *driver) drives(rt *stackful.Runtime) {
	d.rt = rt
	d.owner.Package, d.owner.Core = "fibers", &rt.Scheduler().Core
}
