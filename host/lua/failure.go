package lua

import (
	"fmt"
	"runtime"

	glua "github.com/yuin/gopher-lua"
)

// goFailure is the error value of a Go function that failed with a runtime error. The error
// describes Go code, which a program cannot correct. So only the host gets it, as the Cause of the
// ApiError.
const goFailure = "a Go function failed"

// errorValue is the Lua error value of a Go panic.
func errorValue(p any) glua.LValue {
	switch err := p.(type) {
	case *glua.ApiError:
		return err.Object
	case runtime.Error:
		return glua.LString(goFailure)
	}
	return glua.LString(fmt.Sprint(p))
}

// failure is the error that the host gets for a Go panic.
func failure(p any, trace string) *glua.ApiError {
	cause, _ := p.(error)
	return &glua.ApiError{Type: glua.ApiErrorPanic, Object: errorValue(p), StackTrace: trace, Cause: cause}
}
