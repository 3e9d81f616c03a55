package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

const (
	version = 1
	// HeaderLen is the bytes of a frame before its fields.
	HeaderLen = 4
	// SumLen is the bytes after them.
	SumLen = 4
	// MaxFrame is the length limit of a frame in bytes.
	MaxFrame = 1 << 20
)

// Form says what the fields of a frame are.
type Form uint8

const (
	// Command is a command of package island.
	Command Form = iota + 1
	// Data is a packet of package bridge with a value.
	Data
	// Ack is one that acknowledges values.
	Ack
	// Bye is the last one of an island.
	Bye
)

func sum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// Begin appends the header of a frame.
func Begin(b []byte, f Form) []byte { return append(b, 'S', 'V', version, byte(f)) }

// End appends the checksum of the frame that begins at b[from].
func End(b []byte, from int) []byte {
	return binary.BigEndian.AppendUint32(b, sum(b[from:]))
}

// AppendText appends a text with its length.
func AppendText[S string | []byte](b []byte, s S) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}

// Open checks header and checksum and returns a reader of the fields.
func Open(b []byte) (f Form, r Reader, err error) {
	switch {
	case len(b) < HeaderLen+SumLen:
		return 0, r, fmt.Errorf("%d bytes, want at least %d", len(b), HeaderLen+SumLen)
	case len(b) > MaxFrame:
		return 0, r, fmt.Errorf("%d bytes, want at most %d", len(b), MaxFrame)
	case b[0] != 'S' || b[1] != 'V':
		return 0, r, errors.New("it does not begin with SV")
	case b[2] != version:
		return 0, r, fmt.Errorf("version %d, this side speaks %d", b[2], version)
	}
	end := len(b) - SumLen
	if binary.BigEndian.Uint32(b[end:]) != sum(b[:end]) {
		return 0, r, errors.New("wrong checksum")
	}
	return Form(b[3]), Reader{rest: b[HeaderLen:end]}, nil
}
