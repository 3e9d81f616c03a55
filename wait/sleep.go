package wait

import (
	"fmt"
	"math"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// badDuration is the error for a number of seconds that no wait can last. The reason is
// "negative", "not a number", "infinite" or "too long".
func badDuration(seconds float64, reason string) error {
	return fmt.Errorf("%w: %g s is %s; want 0 or more, up to about 292 years", ErrDuration, seconds, reason)
}

// Seconds reads a guest's number of seconds, rounded to the nanosecond. NaN, a negative,
// an infinite and a too long one is an error that wraps ErrDuration.
func Seconds(s float64) (time.Duration, error) {
	switch {
	case math.IsNaN(s):
		return 0, badDuration(s, "not a number")
	case s < 0:
		return 0, badDuration(s, "negative")
	case math.IsInf(s, 1):
		return 0, badDuration(s, "infinite")
	}
	ns := math.Round(s * float64(time.Second))
	if ns >= float64(fiber.Never) {
		return 0, badDuration(s, "too long")
	}
	return time.Duration(ns), nil
}

// Deadline is the instant d after now, for the deadline of any wait (Reason.By) and for a
// sleep: fiber.Until(deadline) is a wait that only the clock ends, with Code OK, and needs
// no object. A negative d, or one that ends after the last instant before fiber.Never, is
// an error that wraps ErrDuration.
func Deadline(now fiber.Time, d time.Duration) (fiber.Time, error) {
	switch {
	case d < 0:
		return 0, badDuration(d.Seconds(), "negative")
	case fiber.Time(d) >= fiber.Never-max(now, 0):
		return 0, badDuration(d.Seconds(), "too long")
	}
	return now.After(d), nil
}
