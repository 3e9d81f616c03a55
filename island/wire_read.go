package island

import (
	"encoding/binary"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// reader takes a frame apart. After the first thing that is wrong it gives zeros, and close
// says what it was.
type reader struct {
	rest []byte
	err  error
}

// openFrame checks all that can be checked before the fields are read.
func openFrame(b []byte, want form) (*reader, error) {
	f, body, err := frameForm(b)
	if err == nil && f != want {
		err = fmt.Errorf("%w: form %d, want %d", ErrFrame, f, want)
	}
	return &reader{rest: body}, err
}

// frameForm checks header and sum, and gives the fields.
func frameForm(b []byte) (f form, body []byte, err error) {
	switch {
	case len(b) < headerLen+sumLen:
		return 0, nil, fmt.Errorf("%w: %d bytes are too few", ErrFrame, len(b))
	case len(b) > MaxFrame:
		return 0, nil, fmt.Errorf("%w: %d bytes are more than %d", ErrFrame, len(b), MaxFrame)
	case b[0] != 'S' || b[1] != 'V':
		return 0, nil, fmt.Errorf("%w: it does not begin with SV", ErrFrame)
	case b[2] != wireVersion:
		return 0, nil, fmt.Errorf("%w: version %d, this side speaks %d", ErrFrame, b[2], wireVersion)
	}
	end := len(b) - sumLen
	if binary.BigEndian.Uint32(b[end:]) != sum(b[:end]) {
		return 0, nil, fmt.Errorf("%w: the checksum is wrong", ErrFrame)
	}
	return form(b[3]), b[headerLen:end], nil
}

func (r *reader) take(n int, what string) []byte {
	if r.require(n <= len(r.rest), what); r.err != nil {
		return make([]byte, min(n, 16))
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) require(ok bool, what string) {
	if !ok && r.err == nil {
		r.err = fmt.Errorf("%w: %s is missing or out of range", ErrFrame, what)
	}
}

func (r *reader) byte() byte     { return r.take(1, "a byte")[0] }
func (r *reader) uint16() uint16 { return binary.BigEndian.Uint16(r.take(2, "a number")) }
func (r *reader) uint32() uint32 { return binary.BigEndian.Uint32(r.take(4, "a number")) }
func (r *reader) uint64() uint64 { return binary.BigEndian.Uint64(r.take(8, "a number")) }

// text is a part of the frame: to be copied by who keeps it.
func (r *reader) text() []byte {
	n := r.uint32()
	if r.require(uint64(n) <= uint64(len(r.rest)), "a text"); r.err != nil {
		return nil
	}
	return r.take(int(n), "a text")
}

func (r *reader) address() Address {
	return Address{Island: r.uint16(), Incarnation: r.uint32()}
}

func (r *reader) id() fiber.ID {
	id, err := fiber.CheckID(r.uint64())
	r.require(err == nil, "a fiber's ID")
	return id
}

func (r *reader) ticket() fiber.Ticket {
	t, err := fiber.ParseTicket(r.take(16, "a ticket"))
	r.require(err == nil, "a ticket")
	return t
}

// close is the first thing that was wrong; bytes left over are.
func (r *reader) close() error {
	r.require(len(r.rest) == 0, "the end")
	return r.err
}
