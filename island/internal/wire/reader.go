package wire

import (
	"encoding/binary"
	"fmt"
)

// Reader reads the fields of a frame. After the first error its methods return zeros, and
// Close returns that error; so callers check once, at the end.
type Reader struct {
	rest []byte
	err  error
}

// Take returns the next n bytes of the frame; what names them in an error.
func (r *Reader) Take(n int, what string) []byte {
	if r.Require(n <= len(r.rest), what); r.err != nil {
		return make([]byte, min(n, 16)) // enough for every fixed-size field
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// Require makes the frame invalid unless ok.
func (r *Reader) Require(ok bool, what string) {
	if !ok && r.err == nil {
		r.err = fmt.Errorf("%s is missing or out of range", what)
	}
}

// Byte reads one byte.
func (r *Reader) Byte() byte { return r.Take(1, "a byte")[0] }

// Uint16 reads a number.
func (r *Reader) Uint16() uint16 { return binary.BigEndian.Uint16(r.Take(2, "a number")) }

// Uint32 reads a number.
func (r *Reader) Uint32() uint32 { return binary.BigEndian.Uint32(r.Take(4, "a number")) }

// Uint64 reads a number.
func (r *Reader) Uint64() uint64 { return binary.BigEndian.Uint64(r.Take(8, "a number")) }

// Text reads a text. It is a part of the frame: copy it to keep it.
func (r *Reader) Text() []byte {
	n := r.Uint32()
	if r.Require(uint64(n) <= uint64(len(r.rest)), "a text"); r.err != nil {
		return nil
	}
	return r.Take(int(n), "a text")
}

// Close returns the first error; bytes that were not read are one.
func (r *Reader) Close() error {
	r.Require(len(r.rest) == 0, "the end")
	return r.err
}
