package inspect

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
)

// AddAccounts adds what a Recorder of the scheduler, with its Accounts, knows of the fibers: their parents, how long they have been in
// their states, their slices and how long they ran. The owner calls it at the moment of the Report. Fibers that
// are older than the recording, and native calls, get nothing.
func (r *Report) AddAccounts(of *recorder.Recorder) {
	of.Flush()
	now := of.Now()
	for i := range r.Fibers {
		f := &r.Fibers[i]
		id, err := fiber.ParseID(f.ID)
		if err != nil {
			continue // no Report has such an ID
		}
		a, known := of.Account(id)
		if !known {
			continue
		}
		if a.Parent != 0 {
			f.Parent = a.Parent.String()
		}
		f.InState, f.Busy, f.Slices = new(int64(now-a.Since)), new(int64(a.Busy)), new(a.Slices)
	}
}
