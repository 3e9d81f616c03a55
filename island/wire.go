package island

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/selvage-dev/selvage/fiber"
)

// The wire form, version 1: whatever leaves the process is a frame,
//
//	"SV" | version | form | fields of the form | CRC-32C of all before
//
// with numbers in big endian and texts after their length (uint32). A frame that is cut
// off, has bits flipped, is of another version, or says anything that is out of range is
// ErrFrame; nothing of it is used.
const (
	wireVersion = 1
	headerLen   = 4
	sumLen      = 4
	addressLen  = 6
	// MaxFrame is how long a frame may be, in bytes.
	MaxFrame = 1 << 20
)

// form says what a frame is.
type form uint8

const (
	formCommand form = iota + 1
	formData
	formAck
	formBye
)

func sum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

func beginFrame(b []byte, f form) []byte { return append(b, 'S', 'V', wireVersion, byte(f)) }

func endFrame(b []byte, from int) []byte {
	return binary.BigEndian.AppendUint32(b, sum(b[from:]))
}

// AppendTo appends the command's wire form. Errors: ErrFrame if it would be longer than
// MaxFrame, or is of no Kind.
func (c *Command) AppendTo(b []byte) ([]byte, error) {
	if c.Kind < SpawnFiber || c.Kind > Shutdown {
		return b, fmt.Errorf("%w: a command of kind %d cannot be sent", ErrFrame, c.Kind)
	}
	if n := len(c.Name) + len(c.Body) + 64; n > MaxFrame {
		return b, fmt.Errorf("%w: the %v command is longer than %d bytes", ErrFrame, c.Kind, MaxFrame)
	}
	from := len(b)
	b = append(beginFrame(b, formCommand), byte(c.Kind))
	b = c.To.appendTo(b)
	switch c.Kind {
	case SpawnFiber:
		b = appendText(b, c.Name)
	case WakeFiber:
		b = c.Ticket.AppendTo(b)
		b = binary.BigEndian.AppendUint32(append(b, byte(c.Result.Code)), c.Result.Value)
	case Cancel:
		b = binary.BigEndian.AppendUint64(b, uint64(c.Fiber))
	}
	if c.Kind != WakeFiber {
		b = appendText(b, c.Body)
	}
	return endFrame(b, from), nil
}

// ParseCommand reads a command's wire form, which may come from anybody. What the command
// may do is decided where it arrives. Error: ErrFrame.
func ParseCommand(b []byte) (c Command, err error) {
	r, err := openFrame(b, formCommand)
	if err != nil {
		return c, err
	}
	c.Kind, c.To = Kind(r.byte()), r.address()
	switch c.Kind {
	case SpawnFiber:
		c.Name = string(r.text())
	case WakeFiber:
		c.Ticket = r.ticket()
		c.Result = fiber.Result{Code: fiber.Code(r.byte()), Value: r.uint32()}
		r.require(c.Result.Code >= fiber.OK && c.Result.Code <= fiber.Failed, "a result code")
	case Cancel:
		c.Fiber = r.id()
	case Shutdown:
	default:
		r.require(false, "a kind of command")
	}
	if c.Kind != WakeFiber {
		c.Body = append([]byte(nil), r.text()...)
	}
	if err := r.close(); err != nil {
		return Command{}, err
	}
	return c, nil
}

func (a Address) appendTo(b []byte) []byte {
	b = binary.BigEndian.AppendUint16(b, a.Island)
	return binary.BigEndian.AppendUint32(b, a.Incarnation)
}

func appendText[S string | []byte](b []byte, s S) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}
