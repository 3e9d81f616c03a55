// Package bytes is what minigo has of Go's.
package bytes

import (
	"errors"
	"io"
	"strings"
)

func Compare(a, b []byte) int           { return strings.Compare(string(a), string(b)) }
func Contains(b, subslice []byte) bool  { return strings.Contains(string(b), string(subslice)) }
func Count(s, sep []byte) int           { return strings.Count(string(s), string(sep)) }
func Equal(a, b []byte) bool            { return string(a) == string(b) }
func HasPrefix(s, prefix []byte) bool   { return strings.HasPrefix(string(s), string(prefix)) }
func HasSuffix(s, suffix []byte) bool   { return strings.HasSuffix(string(s), string(suffix)) }
func Index(s, sep []byte) int           { return strings.Index(string(s), string(sep)) }
func IndexByte(b []byte, c byte) int    { return strings.IndexByte(string(b), c) }
func LastIndex(s, sep []byte) int       { return strings.LastIndex(string(s), string(sep)) }
func Repeat(b []byte, count int) []byte { return []byte(strings.Repeat(string(b), count)) }
func ToLower(s []byte) []byte           { return []byte(strings.ToLower(string(s))) }
func ToUpper(s []byte) []byte           { return []byte(strings.ToUpper(string(s))) }
func TrimSpace(s []byte) []byte         { return trimmed(s, strings.TrimSpace(string(s))) }
func TrimPrefix(s, prefix []byte) []byte {
	if HasPrefix(s, prefix) {
		return s[len(prefix):]
	}
	return s
}

func TrimSuffix(s, suffix []byte) []byte {
	if HasSuffix(s, suffix) {
		return s[:len(s)-len(suffix)]
	}
	return s
}

// trimmed is the part of s that is t; nil if nothing is left, as with Go.
func trimmed(s []byte, t string) []byte {
	if t == "" {
		return nil
	}
	at := strings.Index(string(s), t)
	return s[at : at+len(t)]
}

func Clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}

func Join(s [][]byte, sep []byte) []byte {
	all := []byte{}
	for i, part := range s {
		if i > 0 {
			all = append(all, sep...)
		}
		all = append(all, part...)
	}
	return all
}

func Split(s, sep []byte) [][]byte {
	var parts [][]byte
	for _, part := range strings.Split(string(s), string(sep)) {
		parts = append(parts, []byte(part))
	}
	return parts
}

func Fields(s []byte) [][]byte {
	parts := [][]byte{}
	for _, part := range strings.Fields(string(s)) {
		parts = append(parts, []byte(part))
	}
	return parts
}

const MinRead = 512

var ErrTooLarge = errors.New("bytes.Buffer: too large")

// Buffer is bytes that are written at the end and read at the beginning.
type Buffer struct {
	buf []byte
	off int
}

func NewBuffer(buf []byte) *Buffer     { return &Buffer{buf: buf} }
func NewBufferString(s string) *Buffer { return &Buffer{buf: []byte(s)} }
func (b *Buffer) Bytes() []byte        { return b.buf[b.off:] }
func (b *Buffer) Len() int             { return len(b.buf) - b.off }
func (b *Buffer) Cap() int             { return cap(b.buf) }
func (b *Buffer) Reset()               { b.buf, b.off = b.buf[:0], 0 }

func (b *Buffer) String() string {
	if b == nil {
		return "<nil>"
	}
	return string(b.buf[b.off:])
}

func (b *Buffer) Truncate(n int) {
	if n < 0 || n > b.Len() {
		panic("bytes.Buffer: truncation out of range")
	}
	b.buf = b.buf[:b.off+n]
}

func (b *Buffer) Grow(n int) {
	if n < 0 {
		panic("bytes.Buffer.Grow: negative count")
	}
}

func (b *Buffer) Write(p []byte) (n int, err error) {
	b.buf = append(b.buf, p...)
	return len(p), nil
}

func (b *Buffer) WriteString(s string) (n int, err error) {
	b.buf = append(b.buf, s...)
	return len(s), nil
}

func (b *Buffer) WriteByte(c byte) error {
	b.buf = append(b.buf, c)
	return nil
}

func (b *Buffer) WriteRune(r rune) (n int, err error) { return b.WriteString(string(r)) }

func (b *Buffer) Read(p []byte) (n int, err error) {
	if b.Len() == 0 {
		b.Reset()
		if len(p) == 0 {
			return 0, nil
		}
		return 0, io.EOF
	}
	n = copy(p, b.buf[b.off:])
	b.off += n
	return n, nil
}

func (b *Buffer) Next(n int) []byte {
	if n > b.Len() {
		n = b.Len()
	}
	b.off += n
	return b.buf[b.off-n : b.off]
}

func (b *Buffer) ReadByte() (byte, error) {
	if b.Len() == 0 {
		b.Reset()
		return 0, io.EOF
	}
	b.off++
	return b.buf[b.off-1], nil
}

func (b *Buffer) ReadBytes(delim byte) (line []byte, err error) {
	n := IndexByte(b.buf[b.off:], delim) + 1
	if n == 0 {
		n, err = b.Len(), io.EOF
	}
	return append(line, b.Next(n)...), err
}

func (b *Buffer) ReadString(delim byte) (line string, err error) {
	bytes, err := b.ReadBytes(delim)
	return string(bytes), err
}

func (b *Buffer) ReadFrom(r io.Reader) (n int64, err error) {
	all, err := io.ReadAll(r)
	b.Write(all)
	return int64(len(all)), err
}

func (b *Buffer) WriteTo(w io.Writer) (n int64, err error) {
	if b.Len() > 0 {
		size := b.Len()
		done, err := w.Write(b.buf[b.off:])
		b.off += done
		if err != nil || done < size {
			if err == nil {
				err = io.ErrShortWrite
			}
			return int64(done), err
		}
		n = int64(done)
	}
	b.Reset()
	return n, nil
}

// Reader reads a slice.
type Reader struct {
	s []byte
	i int
}

func NewReader(b []byte) *Reader { return &Reader{b, 0} }

func (r *Reader) Len() int { return len(r.s) - r.i }

func (r *Reader) Read(p []byte) (n int, err error) {
	if r.i >= len(r.s) {
		return 0, io.EOF
	}
	n = copy(p, r.s[r.i:])
	r.i += n
	return n, nil
}

func (r *Reader) ReadByte() (byte, error) {
	if r.i >= len(r.s) {
		return 0, io.EOF
	}
	r.i++
	return r.s[r.i-1], nil
}
