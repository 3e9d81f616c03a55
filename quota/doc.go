// Package quota counts what guests use, and says when they have used too much. An Account belongs to
// a guest or to a tree of fibers in it. Accounts form trees: what is taken from an Account is taken
// from all above it, and it is refused if it passes the Limits of any of them.
//
//	guest := quota.New("guest", quota.Limits{Steps: 1e6, Memory: 64 << 20})
//	part := guest.Child("request", quota.Limits{Steps: 1e4})
//	if err := part.Take(quota.Steps, 100); err != nil { … } // *quota.Error names what was passed
//
// The scheduler takes fibers, timers, operations and time; hosts take steps, memory and output. It is
// a pure machine: it ends no fiber itself.
//
// One goroutine uses a tree of Accounts, unless it is shared (Share). What this package never does: take a part of what was
// asked for.
package quota
