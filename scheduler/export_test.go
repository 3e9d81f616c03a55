package scheduler

import "context"

// execute starts a fiber from another goroutine, waits for its end, and cancels it if ctx
// ends first.
func execute[T any](ctx context.Context, s *Scheduler[T], data T, o Options) (any, error) {
	h, err := s.Start(data, o)
	if err != nil {
		return nil, err
	}
	result, err := h.Result(ctx)
	if ctx.Err() != nil {
		_ = h.Cancel(context.Cause(ctx)) // a stopped scheduler has ended it
	}
	return result, err
}
