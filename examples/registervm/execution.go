package main

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// execution is a function that executes: a fiber's, or the callee of native code. While it does not
// run this is its complete state.
type execution struct {
	vm     *machine
	fn     *function
	pc     int
	dst    int // where the result of the instruction goes; -1: nowhere
	regs   [registers]value
	result value
	native *sorting              // the native code that it is in
	depth  int                   // how many sorts it is in
	finish func() (value, error) // the rest of the instruction that waits, or has waited
	ticket fiber.Ticket          // of that wait
}

var errStopped = errors.New("the fiber was cancelled")

// Step runs the execution for a slice, or for the rest of one. The outcome is why its code exits.
func (c *execution) Step() (out fiber.Outcome) {
	err := c.resume()
	for err == nil && out.Kind == 0 {
		out, err = c.enter()
	}
	switch {
	case err == errStopped:
		return c.vm.Unwind().Stop(c.site())
	case err != nil: // in native code also a callee's, and then Fail goes on with that
		return c.vm.Unwind().Fail(err, c.site())
	}
	return out
}

// resume continues behind a wait. An execution in native code has none of its own: it is the callee's.
func (c *execution) resume() (err error) {
	if c.finish != nil {
		ticket, result := c.vm.Claim()
		if result.Code == fiber.Cancelled {
			return errStopped
		}
		finish := c.finish
		c.finish, c.ticket = nil, ticket
		v, err := finish()
		c.store(v)
		return err
	}
	if c.native == nil {
		if code, _ := c.vm.TakeInterrupt(); code != fiber.Pending {
			return errStopped
		}
	}
	return nil
}

// enter enters the code where it was left: native code, or machine code. The zero Outcome says that
// the other continues.
func (c *execution) enter() (out fiber.Outcome, err error) {
	if c.native != nil {
		return c.native.enter(c)
	}
	for err == nil && c.finish == nil && c.native == nil && c.pc < len(c.fn.code) && c.vm.left > 0 {
		c.vm.left--
		c.pc++
		err = c.fn.code[c.pc-1](c)
	}
	switch {
	case c.finish != nil:
		out.Kind = fiber.Block
	case c.native != nil:
	case c.pc == len(c.fn.code):
		out.Kind = fiber.Done
	default:
		out.Kind = fiber.TimesliceExpired
	}
	return out, err
}

// store sets the result of the instruction.
func (c *execution) store(v value) {
	if c.dst >= 0 {
		c.regs[c.dst] = v
	}
}

// site is the line that executes. In a call of native code it is the callee's.
func (c *execution) site() string {
	if c.native != nil && c.native.call.InFlight() {
		return c.native.callee.site()
	}
	at := max(0, min(c.pc, len(c.fn.lines))-1)
	return fmt.Sprintf("%s:%d", c.vm.file, c.fn.lines[at].number)
}
