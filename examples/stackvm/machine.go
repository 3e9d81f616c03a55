package main

import (
	"errors"
	"io"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/parking"
	"github.com/selvage-dev/selvage/scheduler"
)

// machine is what the fibers of a program share.
type machine struct {
	*scheduler.Scheduler[*code]
	native  *parking.Machine[*code] // runs native code
	pool    *blocking.Pool          // runs what blocks
	nest    bool                    // whether native calls nest instead of parking
	program *program
	args    []string
	out     io.Writer
	slice   int // instructions of a slice
	left    int // of this slice, for the fiber and the callees of its native code together
}

// Resume runs a fiber for a slice.
func (m *machine) Resume(_ *scheduler.Scheduler[*code], f *scheduler.Fiber[*code]) fiber.Outcome {
	return f.Data.Step()
}

// errStopped ends code whose fiber is cancelled.
var errStopped = errors.New("cancelled")

// Step runs code until it waits, ends, or has used up the slice.
func (c *code) Step() fiber.Outcome {
	err := c.resume()
	for ; err == nil && c.vm.left > 0; c.vm.left-- {
		if len(c.frames) == 0 {
			return fiber.Outcome{Kind: fiber.Done}
		}
		err = c.execute()
		if out := c.out; err == nil && out.Kind != 0 {
			c.out, c.vm.left = fiber.Outcome{}, c.vm.slice
			return out
		}
	}
	switch {
	case err == errStopped:
		return c.vm.Unwind().Stop(c.site())
	case err != nil:
		return c.vm.Unwind().Fail(err, c.site())
	}
	c.vm.left = c.vm.slice
	return fiber.Outcome{Kind: fiber.TimesliceExpired}
}

// resume continues a word that has waited. A cancelled fiber goes no further.
func (c *code) resume() error {
	if then := c.then; then != nil {
		ticket, result := c.vm.Claim()
		if result.Code == fiber.Cancelled {
			return errStopped
		}
		c.then, c.ticket = nil, ticket
		if err := then(); err != nil {
			return err
		}
	}
	if interrupt, _ := c.vm.TakeInterrupt(); interrupt != fiber.Pending {
		return errStopped
	}
	return nil
}
