package wait

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

func TestAGuestsSecondsBecomeADurationOrATypedError(t *testing.T) {
	for _, c := range []struct {
		s    float64
		want time.Duration
		why  string
	}{
		{0, 0, ""},
		{math.Copysign(0, -1), 0, ""},
		{0.3, 300 * time.Millisecond, ""},
		{1e-9, 1, ""},
		{1e-12, 0, ""},
		{9.2e9, 9200000000 * time.Second, ""},
		{-1e-300, 0, "negative"},
		{-1, 0, "negative"},
		{math.Inf(-1), 0, "negative"},
		{math.Inf(1), 0, "infinite"},
		{math.NaN(), 0, "not a number"},
		{9.3e9, 0, "too long"},
		{math.MaxFloat64, 0, "too long"},
		{float64(math.MaxInt64) / 1e9, 0, "too long"},
	} {
		d, err := Seconds(c.s)
		is(t, "duration", d, c.want)
		var e *DurationError
		switch {
		case c.why == "":
			is(t, "error", err, nil)
		case !errors.As(err, &e) || !errors.Is(err, ErrDuration):
			t.Errorf("%g s: got %v, want a DurationError", c.s, err)
		default:
			is(t, "why", e.Why, c.why)
		}
	}
}

func TestASleepEndsAtAnInstantThatExistsOrIsRefused(t *testing.T) {
	r, err := Sleep(100, 50)
	is(t, "reason", r, fiber.Until(150))
	is(t, "error", err, nil)
	r, err = Sleep(100, 0)
	is(t, "the shortest", r, fiber.Until(100))
	is(t, "error", err, nil)
	r, err = Sleep(0, math.MaxInt64-1)
	is(t, "the longest", r, fiber.Until(fiber.Never-1))
	is(t, "error", err, nil)
	for _, c := range []struct {
		now fiber.Time
		d   time.Duration
		why string
	}{{0, -1, "negative"}, {0, math.MaxInt64, "too long"}, {2, math.MaxInt64 - 2, "too long"}} {
		r, err := Sleep(c.now, c.d)
		var e *DurationError
		if !errors.As(err, &e) || e.Why != c.why {
			t.Errorf("%v after %v: got %v, want %s", c.d, c.now, err, c.why)
		}
		is(t, "reason", r, fiber.Reason{})
		at, _ := Deadline(c.now, c.d)
		is(t, "instant", at, 0)
	}
}
