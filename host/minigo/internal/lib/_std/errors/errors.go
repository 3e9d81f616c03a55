// Package errors is what minigo has of Go's.
package errors

type errorString struct{ s string }

func (e *errorString) Error() string { return e.s }

var ErrUnsupported = New("unsupported operation")

func New(text string) error { return &errorString{text} }

func Unwrap(err error) error {
	u, ok := err.(interface{ Unwrap() error })
	if !ok {
		return nil
	}
	return u.Unwrap()
}

func Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	return is(err, target, isComparable(target))
}

// isComparable reports whether == on the value does not panic.
func isComparable(v any) bool

// assign sets what target points to to the error, if that has, or implements, the type
// there. Its number is 0 if it was done, 1 if not, 2 if target is no such pointer, and 3 if
// no error can be there.
func assign(err error, target any) int

func As(err error, target any) bool {
	if err == nil {
		return false
	}
	if target == nil {
		panic("errors: target cannot be nil")
	}
	for {
		switch assign(err, target) {
		case 0:
			return true
		case 2:
			panic("errors: target must be a non-nil pointer")
		case 3:
			panic("errors: *target must be interface or implement error")
		}
		if x, ok := err.(interface{ As(any) bool }); ok && x.As(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
			if err == nil {
				return false
			}
		case interface{ Unwrap() []error }:
			for _, err := range x.Unwrap() {
				if err != nil && As(err, target) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

func is(err, target error, comparable bool) bool {
	for {
		if comparable && isComparable(err) && err == target {
			return true
		}
		if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
			if err == nil {
				return false
			}
		case interface{ Unwrap() []error }:
			for _, err := range x.Unwrap() {
				if is(err, target, comparable) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

type joinError struct{ errs []error }

func Join(errs ...error) error {
	var some []error
	for _, err := range errs {
		if err != nil {
			some = append(some, err)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return &joinError{some}
}

func (e *joinError) Error() string {
	s := e.errs[0].Error()
	for _, err := range e.errs[1:] {
		s += "\n" + err.Error()
	}
	return s
}

func (e *joinError) Unwrap() []error { return e.errs }
