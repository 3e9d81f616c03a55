package main

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// channel carries values between the fibers.
type channel struct{ wait.Chan[value] }

// The calls that wait: each tries, and else arms a wait, parks its ticket in the object, and
// waits on its own stack.

func (t *task) send(c *channel, v value) (value, error) {
	ok, wake, err := c.TrySend(v)
	if t.vm.Apply(wake); ok || err != nil { // wakes the receiver that has got the value
		return v, err
	}
	_ = c.ParkSend(t.vm.ArmOn(c.Source()), v, 0)
	_, err = t.wait()
	return v, err
}

func (t *task) recv(c *channel) (value, error) {
	v, status, wake := c.TryRecv()
	if t.vm.Apply(wake); status == wait.Received { // wakes the sender that waited
		return v, nil
	}
	_ = c.ParkRecv(t.vm.ArmOn(c.Source()), 0)
	ticket, err := t.wait()
	if err == nil {
		v, _ = c.Collect(ticket)
	}
	return v, err
}

func (t *task) sleep(ms int) (value, error) {
	d, err := wait.Seconds(float64(ms) / 1000)
	if err != nil {
		return nil, err
	}
	until, err := wait.Deadline(t.vm.Now(), d)
	if err != nil {
		return nil, err
	}
	t.vm.Arm(fiber.Until(until))
	_, err = t.wait()
	return null{}, err
}

func (t *task) spawn(fn value, args []value) (value, error) {
	line := t.line
	return t.vm.spawn(func(t *task) (value, error) {
		t.line = line
		v, err := t.apply(fn, args)
		return v, at(line, err)
	}, false)
}

// join gives the result of a fiber, or fails if the fiber has failed or was cancelled.
func (t *task) join(other *task) (value, error) {
	j, err := wait.JoinOn(&other.ended, t.vm.Current())
	if err != nil {
		return nil, err // it joins itself
	}
	if _, done, _ := j.Try(); !done {
		_ = j.ParkJoin(t.vm.ArmOn(j.Case().Source()), 0)
		if _, err := t.wait(); err != nil {
			return nil, err
		}
	}
	v, _, err := j.Try()
	if err != nil {
		return nil, fmt.Errorf("the fiber failed: %w", err)
	}
	return v, nil
}

func (t *task) cancel(other *task) (value, error) {
	_ = t.vm.Cancel(other.id.ID(), nil) // it may have ended
	return null{}, nil
}
