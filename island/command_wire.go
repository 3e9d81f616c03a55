package island

import (
	"encoding/binary"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island/internal/wire"
)

// AppendTo appends the command as one frame (internal/wire), for a transport of the program's
// own; package bridge does so itself. Errors: ErrFrame if it would be longer than 1 MiB or is
// no command.
func (c *Command) AppendTo(b []byte) ([]byte, error) {
	if c.kind < kindSpawn || c.kind > kindShutdown {
		return b, fmt.Errorf("%w: a command of kind %d cannot be encoded", ErrFrame, c.kind)
	}
	if n := len(c.name) + len(c.body) + 64; n > wire.MaxFrame { // 64: all other fields
		return b, fmt.Errorf("%w: the %v command is longer than %d bytes", ErrFrame, c.kind, wire.MaxFrame)
	}
	from := len(b) // the frame may stand behind others in b; its checksum covers its own bytes only
	// The order of the fields is the wire format, version 1; ParseCommand reads the same.
	b = append(wire.Begin(b, wire.Command), byte(c.kind))
	b = binary.BigEndian.AppendUint16(b, c.to.Island)
	b = binary.BigEndian.AppendUint32(b, c.to.Incarnation)
	switch c.kind {
	case kindSpawn:
		b = wire.AppendText(b, c.name)
	case kindWake:
		b = c.ticket.AppendTo(b)
		b = binary.BigEndian.AppendUint32(append(b, byte(c.result.Code)), c.result.Value)
	case kindCancel:
		b = binary.BigEndian.AppendUint64(b, uint64(c.id))
	}
	if c.kind != kindWake {
		b = wire.AppendText(b, c.body)
	}
	return wire.End(b, from), nil
}

// ParseCommand reads a frame of AppendTo from an untrusted source. It checks the form; what
// the command may do is checked by the island that executes it. The command keeps nothing of b.
// Error: ErrFrame; bytes behind the last field are an error, too, so that one command has one
// encoding.
func ParseCommand(b []byte) (c Command, err error) {
	form, r, err := wire.Open(b)
	if err != nil {
		return c, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	r.Require(form == wire.Command, "a command")
	c.kind, c.to = kind(r.Byte()), Address{Island: r.Uint16(), Incarnation: r.Uint32()}
	switch c.kind {
	case kindSpawn:
		c.name = string(r.Text())
	case kindWake:
		c.ticket, err = fiber.ParseTicket(r.Take(16, "a ticket"))
		r.Require(err == nil, "a ticket")
		c.result = fiber.Result{Code: fiber.Code(r.Byte()), Value: r.Uint32()}
		r.Require(c.result.Code >= fiber.OK && c.result.Code <= fiber.Failed, "a result code")
	case kindCancel:
		c.id, err = fiber.CheckID(r.Uint64())
		r.Require(err == nil, "a fiber's ID")
	case kindShutdown:
	default:
		r.Require(false, "a kind of command")
	}
	if c.kind != kindWake {
		c.body = append([]byte(nil), r.Text()...)
	}
	// Only now is it known whether the fields were valid; before, errors read as zeros.
	if err := r.Close(); err != nil {
		return Command{}, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	return c, nil
}
