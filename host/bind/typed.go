package bind

import "context"

// Caller is a host whose guest functions Go code calls with values. Every host is one.
type Caller interface {
	// CallInto calls a function of the guest and stores its results in the variables that the
	// pointers of into refer to, one for each result.
	CallInto(ctx context.Context, into []any, function any, args ...any) error
}

// Call calls a function of the guest and returns its one result as a T. The function and the errors are
// those of the Call of the host. A result that is no T is a *ValueError; if the function returns another
// number of results, use CallInto.
func Call[T any](ctx context.Context, host Caller, function any, args ...any) (T, error) {
	var value T
	err := host.CallInto(ctx, []any{&value}, function, args...)
	return value, err
}

// Result waits for the end of a call that was posted, and returns its one result as a T; see Handle.Result.
func Result[T any](ctx context.Context, call *Handle) (T, error) {
	var value T
	err := call.ResultInto(ctx, &value)
	return value, err
}
