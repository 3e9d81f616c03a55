package main

import (
	"context"
	"errors"

	"github.com/selvage-dev/selvage/examples/internal/command"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// channel carries values between fibers.
type channel struct{ wait.Chan[value] }

// The instructions that wait: each tries, and else arms a wait, parks its ticket in the object, and
// leaves machine code.

func (c *execution) wait(finish func() (value, error)) (value, error) {
	c.finish = finish
	return nil, nil
}

func nothing() (value, error) { return nil, nil }

func (c *execution) send(to *channel, v value) (value, error) {
	ok, wake, err := to.TrySend(v)
	if c.vm.Apply(wake); ok || err != nil { // wakes the receiver that has got the value
		return nil, err
	}
	_ = to.ParkSend(c.vm.ArmOn(to.Source()), v, 0)
	return c.wait(nothing)
}

func (c *execution) recv(from *channel) (value, error) {
	v, status, wake := from.TryRecv()
	if c.vm.Apply(wake); status == wait.Received { // wakes the sender that waited
		return v, nil
	}
	_ = from.ParkRecv(c.vm.ArmOn(from.Source()), 0)
	return c.wait(func() (value, error) { v, _ := from.Collect(c.ticket); return v, nil })
}

func (c *execution) sleep(ms int) (value, error) {
	d, err := wait.Seconds(float64(ms) / 1000)
	until, late := wait.Deadline(c.vm.Now(), d)
	if err = errors.Join(err, late); err != nil {
		return nil, err
	}
	c.vm.Arm(fiber.Until(until))
	return c.wait(nothing)
}

// join gives the result of a fiber, or the text of its failure.
func (c *execution) join(t *task) (value, error) {
	j, err := wait.JoinOn(&t.ended, c.vm.Current())
	if err != nil {
		return nil, err // it joins itself
	}
	_, ended, err := j.Try()
	switch {
	case !ended:
		_ = j.ParkJoin(c.vm.ArmOn(t.ended.Source()), 0)
		return c.wait(func() (value, error) { return c.join(t) })
	case err != nil:
		return err.Error(), nil
	}
	return t.result, nil
}

func (c *execution) cancel(t *task) (value, error) {
	_ = c.vm.Cancel(t.id.ID(), nil) // it may have ended
	return nil, nil
}

// http gets a page. A worker waits for it, and the fiber, or its callee, for the worker.
func (c *execution) http(url string) (value, error) {
	op, err := c.vm.Ops().Start(func(tok fiber.Token) error {
		return c.vm.work.Submit(tok, func(ctx context.Context) (any, error) { return command.Page(ctx, url) })
	})
	if err != nil {
		return nil, err // too many operations
	}
	op.Arm(fiber.Never)
	return c.wait(op.Result)
}
