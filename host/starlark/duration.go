package starlark

import (
	"fmt"
	"math"
	"time"

	startime "go.starlark.net/lib/time"
	gostar "go.starlark.net/starlark"
)

// duration is an argument for a time: seconds as an int or a float, or a time.duration.
type duration struct{ value time.Duration }

// Unpack implements starlark.Unpacker.
func (d *duration) Unpack(v gostar.Value) error {
	switch v := v.(type) {
	case startime.Duration:
		d.value = time.Duration(v)
	case gostar.Int, gostar.Float:
		seconds, ok := gostar.AsFloat(v)
		if !ok || math.IsNaN(seconds) || math.Abs(seconds) > float64(math.MaxInt64/time.Second) {
			return fmt.Errorf("bad duration: %s s; want 0 or more, up to about 292 years", v)
		}
		d.value = time.Duration(math.Round(seconds * float64(time.Second)))
	default:
		return fmt.Errorf("got %s, want seconds as an int or a float, or a time.duration", v.Type())
	}
	if d.value < 0 {
		return fmt.Errorf("bad duration: %s is negative; want 0 or more, up to about 292 years", v)
	}
	return nil
}
