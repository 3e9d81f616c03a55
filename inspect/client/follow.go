package client

import (
	"context"
	"time"
)

// mostRetries is how many times as long as Options.Retry the longest wait is.
const mostRetries = 40

// Follow calls receive with each event, on the calling goroutine, until ctx ends, the inspector is closed (nil), or an
// error is Final. A connection that is lost is made again, after a time that doubles with each failure.
func (c *Client) Follow(ctx context.Context, receive func(Event)) error {
	wait := c.options.Retry
	for {
		err := c.stream(ctx, func(e Event) {
			wait = c.options.Retry
			receive(e)
		})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil || Final(err):
			return err
		}
		receive(Lost{err, wait})
		if err := pause(ctx, wait); err != nil {
			return err
		}
		wait = min(2*wait, mostRetries*c.options.Retry)
	}
}

// pause waits for a time, or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
