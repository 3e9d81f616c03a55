package minigo

import (
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
)

// next returns the next values of an iterator, and whether there are any.
func (h *Host) next(c *lib.Call, native string) {
	n, _, refs, r := c.Windows()
	clear(n)
	clear(refs)
	it, ok := r[0].(*reference[*bind.Pull])
	if !ok {
		return // the function returned an error instead
	}
	values, err := it.of.Next()
	if err == nil && values != nil {
		e := &entering{Host: h}
		err = e.results(c, h.machine.Bound(native).Results, append(values, bind.BoolValue(true)))
		c.Pay(e.steps)
	}
	if err != nil {
		c.Raise(err)
	}
}
