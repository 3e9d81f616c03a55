package wait

import (
	"fmt"
	"math"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// DurationError is a length of time that no wait can have, as a guest asked for it. It
// wraps ErrDuration.
type DurationError struct {
	Seconds float64
	Why     string // "negative", "not a number", "infinite", "too long"
}

// Error names the value and what is wrong with it.
func (e *DurationError) Error() string {
	return fmt.Sprintf("%v: %g s is %s; want 0 or more, up to about 292 years", ErrDuration, e.Seconds, e.Why)
}

// Unwrap gives ErrDuration.
func (e *DurationError) Unwrap() error { return ErrDuration }

// Seconds reads a guest's number of seconds, rounded to the nanosecond. NaN, negative,
// infinite and too long ones are a *DurationError.
func Seconds(s float64) (time.Duration, error) {
	switch {
	case math.IsNaN(s):
		return 0, &DurationError{s, "not a number"}
	case s < 0:
		return 0, &DurationError{s, "negative"}
	case math.IsInf(s, 1):
		return 0, &DurationError{s, "infinite"}
	}
	ns := math.Round(s * float64(time.Second))
	if ns >= float64(fiber.Never) {
		return 0, &DurationError{s, "too long"}
	}
	return time.Duration(ns), nil
}

// Deadline is the instant d after now, for the deadline of any wait (Reason.By). A
// negative d, or one that ends after the last instant there is, is a *DurationError.
func Deadline(now fiber.Time, d time.Duration) (fiber.Time, error) {
	switch {
	case d < 0:
		return 0, &DurationError{d.Seconds(), "negative"}
	case fiber.Time(d) >= fiber.Never-max(now, 0):
		return 0, &DurationError{d.Seconds(), "too long"}
	}
	return now.After(d), nil
}

// Sleep is the reason of a wait that only the clock ends, d after now, with Code OK.
// It needs no object: Arm, Block and Claim are the whole sleep. Errors as Deadline's.
func Sleep(now fiber.Time, d time.Duration) (fiber.Reason, error) {
	at, err := Deadline(now, d)
	if err != nil {
		return fiber.Reason{}, err
	}
	return fiber.Until(at), nil
}
