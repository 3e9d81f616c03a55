package quota

import (
	"fmt"
	"time"
)

// Resource is what an Account counts.
type Resource uint8

// The resources. Fibers, Timers, Operations and Memory are what is in use at one time, and can be given
// back; the others only grow.
const (
	Steps      Resource = iota // instructions of the guest, and the same unit for the work of builtins
	Memory                     // bytes
	Fibers                     // fibers that have not ended
	Timers                     // deadlines and timers that are set
	Operations                 // operations in progress
	Output                     // bytes written to the outputs
	Time                       // nanoseconds of the scheduler's time in which the guest had fibers; not summed up over parts
	resources  = iota
)

var names = [resources]string{"steps", "memory", "fibers", "timers", "operations", "output", "time"}

// String is the name of the resource in messages.
func (r Resource) String() string { return names[r] }

// Limits are quotas. 0 is no limit.
type Limits struct {
	Steps      int64
	Memory     int64 // bytes
	Fibers     int64
	Timers     int64
	Operations int64
	Output     int64 // bytes
	Time       time.Duration
}

func (l Limits) table() [resources]int64 {
	return [resources]int64{l.Steps, l.Memory, l.Fibers, l.Timers, l.Operations, l.Output, int64(l.Time)}
}

// Spent is what has been used, in the units of Limits.
type Spent Limits

func spentOf(t [resources]int64) Spent {
	return Spent{t[Steps], t[Memory], t[Fibers], t[Timers], t[Operations], t[Output], time.Duration(t[Time])}
}

// Error says which quota was passed. The guest cannot catch it.
type Error struct {
	Account  string // its name; may be empty
	Resource Resource
	Limit    int64 // in the unit of the resource; nanoseconds for Time
	Spent    Spent // when it was passed; Time as it was last counted
}

// Error names the quota and its limit.
func (e *Error) Error() string {
	of := ""
	if e.Account != "" {
		of = " of " + e.Account
	}
	limit := fmt.Sprint(e.Limit)
	switch e.Resource {
	case Time:
		limit = time.Duration(e.Limit).String()
	case Memory, Output:
		limit += " bytes"
	}
	return fmt.Sprintf("the quota%s is used up: %s, limit %s", of, e.Resource, limit)
}
