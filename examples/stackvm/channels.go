package main

import (
	"errors"

	"github.com/selvage-dev/selvage/wait"
)

// channel is a channel of the program. No word closes it.
type channel struct{ *wait.Chan[value] }

func (c *code) channel(capacity int) error {
	if capacity < 0 || capacity > maxData {
		return errors.New("no channel has such a capacity")
	}
	return c.push(channel{wait.NewChan[value](capacity)})
}

func (c *code) send(x value, ch channel) error {
	if sent, wake, _ := ch.TrySend(x); sent {
		c.vm.Apply(wake)
		return nil
	}
	_ = ch.ParkSend(c.vm.ArmOn(ch.Source()), x, 0)
	return c.await(func() error { return nil })
}

func (c *code) recv(ch channel) error {
	if x, status, wake := ch.TryRecv(); status == wait.Received {
		c.vm.Apply(wake)
		return c.push(x)
	}
	_ = ch.ParkRecv(c.vm.ArmOn(ch.Source()), 0)
	return c.await(func() error {
		x, _ := ch.Collect(c.ticket)
		return c.push(x)
	})
}
