package reactor

import (
	"fmt"
	"strconv"
	"time"

	"github.com/selvage-dev/selvage/internal/op"
)

// FromEnv returns the configuration with the settings of the environment in place of its own;
// lookup is os.LookupEnv or a function like it. The variable of a setting is SELVAGE_ and its
// field's name, as in SELVAGE_STALL_AFTER=10ms; docs/settings.md lists them. The error is
// ErrConfig, with the variable and what it may be, or the new name of a variable that was
// renamed. New checks the limits of numbers.
func (c Config) FromEnv(lookup func(name string) (value string, set bool)) (Config, error) {
	if lookup == nil {
		panic(missing(op.Pump, "FromEnv has no lookup: pass os.LookupEnv"))
	}
	// An ignored setting would be a surprise at run time, so an old name is an error.
	for _, v := range []struct{ old, now string }{{"SLICE", "STALL_AFTER"}, {"MAX_OPERATIONS", "MAX_TOKENS"}} {
		if _, set := lookup("SELVAGE_" + v.old); set {
			return c, fmt.Errorf("%w: SELVAGE_%s has a new name: set SELVAGE_%s", ErrConfig, v.old, v.now)
		}
	}
	for _, v := range []struct {
		name string
		to   *int
	}{
		{"WORKERS", &c.Workers}, {"IO_WORKERS", &c.IOWorkers}, {"IN_FLIGHT", &c.InFlight},
		{"MAX_FIBERS", &c.MaxFibers}, {"MAX_TOKENS", &c.MaxTokens},
		{"MAX_TIMERS", &c.MaxTimers}, {"MAX_COMMANDS", &c.MaxCommands}, {"BUDGET", &c.Budget},
	} {
		if s, set := lookup("SELVAGE_" + v.name); set {
			n, err := strconv.Atoi(s)
			if err != nil || n < 0 {
				return c, fmt.Errorf("%w: SELVAGE_%s is %q: want a number, 0 (the default) or more", ErrConfig, v.name, s)
			}
			*v.to = n
		}
	}
	for _, v := range []struct {
		name string
		to   *time.Duration
	}{{"STALL_AFTER", &c.StallAfter}, {"DRAIN", &c.Drain}} {
		if s, set := lookup("SELVAGE_" + v.name); set {
			d, err := time.ParseDuration(s)
			if err != nil || d < 0 {
				return c, fmt.Errorf("%w: SELVAGE_%s is %q: want a duration, as 10ms", ErrConfig, v.name, s)
			}
			*v.to = d
		}
	}
	return c, nil
}
