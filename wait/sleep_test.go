package wait

import (
	"errors"
	"math"
	"strings"
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
		switch {
		case c.why == "":
			is(t, "error", err, nil)
		case !errors.Is(err, ErrDuration) || !strings.Contains(err.Error(), " is "+c.why+";"):
			t.Errorf("%g s: got %v, want ErrDuration, %s", c.s, err, c.why)
		}
	}
}

func TestADeadlineIsAnInstantThatExistsOrIsRefused(t *testing.T) {
	at, err := Deadline(100, 50)
	is(t, "instant", at, 150)
	is(t, "error", err, nil)
	at, err = Deadline(100, 0)
	is(t, "the shortest", at, 100)
	is(t, "error", err, nil)
	at, err = Deadline(0, math.MaxInt64-1)
	is(t, "the longest", at, fiber.Never-1)
	is(t, "error", err, nil)
	for _, c := range []struct {
		now fiber.Time
		d   time.Duration
		why string
	}{{0, -1, "negative"}, {0, math.MaxInt64, "too long"}, {2, math.MaxInt64 - 2, "too long"}} {
		at, err := Deadline(c.now, c.d)
		if !errors.Is(err, ErrDuration) || !strings.Contains(err.Error(), " is "+c.why+";") {
			t.Errorf("%v after %v: got %v, want %s", c.d, c.now, err, c.why)
		}
		is(t, "instant", at, 0)
	}
}
