package reactor

import (
	"fmt"
	"strconv"
	"time"
)

// FromEnv is the configuration with what the environment says: lookup is os.LookupEnv or
// stands for it. What is not set stays. Errors: ErrConfig, with the variable and what it
// may be; New checks what the numbers mean.
//
//	SELVAGE_WORKERS         Workers
//	SELVAGE_IO_WORKERS      IO.Workers
//	SELVAGE_IN_FLIGHT       InFlight
//	SELVAGE_MAX_FIBERS      MaxFibers
//	SELVAGE_MAX_OPERATIONS  MaxTokens
//	SELVAGE_MAX_TIMERS      MaxTimers
//	SELVAGE_MAX_COMMANDS    MaxCommands
//	SELVAGE_BUDGET          Budget
//	SELVAGE_SLICE           Slice, as 10ms
//	SELVAGE_DRAIN           Drain, as 10s
func (c Config) FromEnv(lookup func(name string) (value string, set bool)) (Config, error) {
	for _, v := range []struct {
		name string
		to   *int
	}{
		{"WORKERS", &c.Workers}, {"IO_WORKERS", &c.IO.Workers}, {"IN_FLIGHT", &c.InFlight},
		{"MAX_FIBERS", &c.MaxFibers}, {"MAX_OPERATIONS", &c.MaxTokens},
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
	}{{"SLICE", &c.Slice}, {"DRAIN", &c.Drain}} {
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
