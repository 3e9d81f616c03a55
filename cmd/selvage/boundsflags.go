package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/explore"
)

// boundsFlags end an explored run that would not end. 0 is the default of explore.Bounds.
type boundsFlags struct {
	Steps       int           `help:"After how many steps an explored run is endless: 1,000,000 by default." placeholder:"N"`
	VirtualTime time.Duration `help:"After how much virtual time an explored run is endless: 1h by default." placeholder:"TIME"`
}

func (b boundsFlags) bounds() explore.Bounds {
	return explore.Bounds{Steps: b.Steps, Time: b.VirtualTime}
}

func (b boundsFlags) check() error {
	switch {
	case b.Steps < 0:
		return fmt.Errorf("--steps %d: want at least 1, or 0 for the default", b.Steps)
	case b.VirtualTime < 0:
		return fmt.Errorf("--virtual-time %v: want more than 0, or 0 for the default", b.VirtualTime)
	}
	return nil
}

// checkRun is check for selvage run, where the bounds belong to --schedule.
func (b boundsFlags) checkRun(schedule string) error {
	if schedule == "" && b != (boundsFlags{}) {
		return errors.New("--steps, --virtual-time: they are for --schedule; limit other runs by --max-steps and --max-time")
	}
	return b.check()
}

// String is the flags of a command line that has these bounds, each with a space behind it.
func (b boundsFlags) String() (flags string) {
	if b.Steps > 0 {
		flags = fmt.Sprintf("--steps %d ", b.Steps)
	}
	if b.VirtualTime > 0 {
		flags += fmt.Sprintf("--virtual-time %v ", b.VirtualTime)
	}
	return flags
}
