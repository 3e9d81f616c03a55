package main

import (
	"fmt"
	"io"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// visitor is the other end of a guest's connection.
type visitor struct {
	socket
	name string
	to   io.Writer
}

func (v *visitor) comes(f *stackful.Fiber, world *fiberio.World, l *fiberio.Listener) (err error) {
	if v.conn, err = world.Dial(f, "tcp", l.Addr().String(), fiber.Never); err != nil {
		return err
	}
	return v.WriteLine(f, v.name)
}

func (v *visitor) says(f *stackful.Fiber, text string) error { return v.WriteLine(f, text) }

// hears waits for a line, and shows it.
func (v *visitor) hears(f *stackful.Fiber) error {
	line, err := v.ReadLine(f)
	if err == nil {
		fmt.Fprintf(v.to, "%s's screen: %s\n", v.name, line)
	}
	return err
}
