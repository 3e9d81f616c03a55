package long

import (
	"context"
	"testing"
	"time"
)

// Context is a context that ends shortly before the test binary's time is over (go test
// -timeout), so that a test which hangs fails with what it knows. A test that is only slow
// never sees it end.
func Context(t *testing.T) context.Context {
	t.Helper()
	deadline, ok := t.Deadline()
	if !ok {
		return t.Context()
	}
	ctx, cancel := context.WithDeadline(t.Context(), deadline.Add(-time.Until(deadline)/20))
	t.Cleanup(cancel)
	return ctx
}
