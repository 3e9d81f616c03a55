package scheduler

// The facets group the calls that only some hosts need. A facet is a view of its
// scheduler: it costs nothing to make, its calls inline like those of Core, and the same
// rules hold for it (one goroutine, no call from a Source or a hook).

// Ops has the calls for asynchronous operations: a fiber submits one and awaits its token,
// a device completes it.
type Ops struct{ core *Core }

// Ops is the facet for asynchronous operations.
func (c *Core) Ops() Ops { return Ops{c} }

// Steps has the calls for hosts that build a loop of their own: each step of a Poll, the
// verdict on an idle scheduler, and the end of a run.
type Steps struct{ core *Core }

// Steps is the facet for hosts with a loop of their own.
func (c *Core) Steps() Steps { return Steps{c} }

// Unwind has the calls for fibers that end early: masking of cancellation, causes, and the
// panic machine.
type Unwind struct{ core *Core }

// Unwind is the facet for cancellation, kills and panics as the fiber sees them.
func (c *Core) Unwind() Unwind { return Unwind{c} }

// Attachments has the calls that tie something to a fiber or to the scheduler: owned locks,
// links to scopes, names, join cells, alarms and wakers.
type Attachments struct{ core *Core }

// Attachments is the facet for what is tied to a fiber until it ends.
func (c *Core) Attachments() Attachments { return Attachments{c} }

// Inspect has the calls that only look: states, counts, reports, the ready queue. Except
// for Verify, which panics if it finds a violation, none changes anything.
type Inspect struct{ core *Core }

// Inspect is the facet for inspection.
func (c *Core) Inspect() Inspect { return Inspect{c} }

// Calls has the calls for native code whose stack cannot park: a native call that waits is
// pinned, and a pump runs other fibers above it until it can continue.
type Calls[T any] struct{ sched *Scheduler[T] }

// Calls is the facet for native calls that pump.
func (s *Scheduler[T]) Calls() Calls[T] { return Calls[T]{s} }

// Moves has the calls that hand a fiber to another goroutine: for one slice (Lend) or for
// good, into another scheduler (MoveOut).
type Moves[T any] struct{ sched *Scheduler[T] }

// Moves is the facet for lending and moving fibers.
func (s *Scheduler[T]) Moves() Moves[T] { return Moves[T]{s} }
