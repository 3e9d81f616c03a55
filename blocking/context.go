package blocking

import (
	"context"
	"time"

	"github.com/selvage-dev/selvage/internal/lazycontext"
)

// workContext is the context of one job. Most work never looks at its context, so a real one
// is made only when the work asks for it or the owner cancels it. It has no parent: it ends when its
// token is abandoned, when its pool is closed by force, or after the work. A parent, for the values
// of the run, would be two more words to store for each job; see Work.
type workContext struct{ lazycontext.Lazy }

var _ context.Context = (*workContext)(nil)

// Deadline reports none: the deadline belongs to the fiber's wait, whose end cancels the context.
func (c *workContext) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done is closed when the context ends.
func (c *workContext) Done() <-chan struct{} { return c.get().Done() }

// Err is context.Canceled once the context has ended; context.Cause gives the cause.
func (c *workContext) Err() error { return c.get().Err() }

// Value serves context.Cause, which looks for the cause by a key of its own.
func (c *workContext) Value(key any) any { return c.get().Value(key) }

func (c *workContext) get() context.Context { return c.Get(context.Background()) }

// cancel ends the context and reports whether it was the first to do so.
func (c *workContext) cancel(cause error) (first bool) { return c.End(context.Background(), cause) }
