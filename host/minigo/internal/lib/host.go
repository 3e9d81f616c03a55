package lib

import (
	"errors"
	"reflect"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// Failure is an error of the host as a reference of the program. References to one error are equal.
type Failure struct{ err error }

// NewFailure makes the reference. An error that cannot be compared gets one of its own.
func NewFailure(err error) any {
	if reflect.ValueOf(err).Comparable() {
		return Failure{err}
	}
	return &Failure{err}
}

// FailureOf is the error of a reference; nil if it is not that of one.
func FailureOf(ref any) error {
	switch f := ref.(type) {
	case Failure:
		return f.err
	case *Failure:
		return f.err
	}
	return nil
}

// FailureText is the text for the program. It does not show what a Go function panicked with: that
// describes Go code, which a program cannot correct.
func FailureText(err error) string {
	if broken, ok := errors.AsType[*bind.PanicError](err); ok {
		return broken.Function + ": a Go function failed"
	}
	if err == nil {
		return "" // the program has made the pointer
	}
	return err.Error()
}

func hostNatives() map[string]Func {
	return map[string]Func{
		"host.text": func(c *Call) { c.ReturnString(FailureText(FailureOf(c.Ref()))) },
		"host.is": func(c *Call) {
			err, target := FailureOf(c.Ref()), FailureOf(c.Ref())
			c.ReturnBool(err != nil && target != nil && errors.Is(err, target))
		},
	}
}

// Windows are the registers of the results, and those of the arguments.
func (c *Call) Windows() (resN, argN []uint64, resR, argR []any) {
	return c.n[:c.an], c.n[c.an:], c.r[:c.ar], c.r[c.ar:]
}

// Raise panics in the program with an error of the host.
func (c *Call) Raise(err error) { c.Then, c.Err = Raise, err }

// Pay counts work that is done, after the effect of a function; the fiber is suspended for it.
func (c *Call) Pay(steps int) {
	if steps > 0 && c.Then == GoOn {
		c.Then, c.Steps = Work, steps
	}
}

// SpendSteps counts steps piece by piece, so that the function is suspended at the end of each slice.
func (c *Call) SpendSteps(steps int) {
	for ; steps > 0; steps -= pieceSteps {
		c.Progress(min(steps, pieceSteps) * value.StepBytes)
	}
}

const pieceSteps = value.PieceBytes / value.StepBytes
