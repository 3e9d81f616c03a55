// Package bufio is what minigo has of Go's.
package bufio

import (
	"bytes"
	"errors"
	"io"
)

const defaultSize = 4096

var (
	ErrNegativeCount = errors.New("bufio: negative count")
	ErrBufferFull    = errors.New("bufio: buffer full")
)

// Reader has read bytes ahead.
type Reader struct {
	rd   io.Reader
	size int
	buf  []byte // read, and not given out yet
	err  error
}

func NewReader(rd io.Reader) *Reader { return NewReaderSize(rd, defaultSize) }

func NewReaderSize(rd io.Reader, size int) *Reader {
	if size < 16 {
		size = 16
	}
	return &Reader{rd: rd, size: size}
}

func (b *Reader) Reset(r io.Reader) { b.rd, b.buf, b.err = r, nil, nil }
func (b *Reader) Buffered() int     { return len(b.buf) }
func (b *Reader) Size() int         { return b.size }

// maxEmpty is how many reads in a row may return nothing.
const maxEmpty = 100

// fill reads once.
func (b *Reader) fill() {
	next := make([]byte, b.size)
	for range maxEmpty {
		n, err := b.rd.Read(next)
		b.buf, b.err = append(b.buf, next[:n]...), err
		if n > 0 || err != nil {
			return
		}
	}
	b.err = io.ErrNoProgress
}

func (b *Reader) readErr() error {
	err := b.err
	b.err = nil
	return err
}

func (b *Reader) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		if len(b.buf) > 0 {
			return 0, nil
		}
		return 0, b.readErr()
	}
	if len(b.buf) == 0 {
		if b.err == nil {
			b.fill()
		}
		if len(b.buf) == 0 {
			return 0, b.readErr()
		}
	}
	n = copy(p, b.buf)
	b.buf = b.buf[n:]
	return n, nil
}

func (b *Reader) Peek(n int) ([]byte, error) {
	if n < 0 {
		return nil, ErrNegativeCount
	}
	for len(b.buf) < n && len(b.buf) < b.size && b.err == nil {
		b.fill()
	}
	if n > b.size {
		return b.buf, ErrBufferFull
	}
	if len(b.buf) < n {
		return b.buf, b.readErr()
	}
	return b.buf[:n], nil
}

func (b *Reader) ReadByte() (byte, error) {
	for len(b.buf) == 0 {
		if b.err != nil {
			return 0, b.readErr()
		}
		b.fill()
	}
	c := b.buf[0]
	b.buf = b.buf[1:]
	return c, nil
}

func (b *Reader) ReadBytes(delim byte) (line []byte, err error) {
	for {
		if i := bytes.IndexByte(b.buf, delim); i >= 0 {
			line = append(line, b.buf[:i+1]...)
			b.buf = b.buf[i+1:]
			return line, nil
		}
		line, b.buf = append(line, b.buf...), nil
		if b.err != nil {
			return line, b.readErr()
		}
		b.fill()
	}
}

func (b *Reader) ReadString(delim byte) (string, error) {
	line, err := b.ReadBytes(delim)
	return string(line), err
}

func (b *Reader) ReadLine() (line []byte, isPrefix bool, err error) {
	line, err = b.ReadBytes('\n')
	if len(line) == 0 {
		return nil, false, err
	}
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	return line, false, nil
}

// Writer keeps what is written until it is flushed or the buffer is full.
type Writer struct {
	wr   io.Writer
	size int
	buf  []byte
	err  error
}

func NewWriter(w io.Writer) *Writer { return NewWriterSize(w, defaultSize) }

func NewWriterSize(w io.Writer, size int) *Writer {
	if size <= 0 {
		size = defaultSize
	}
	return &Writer{wr: w, size: size}
}

func (b *Writer) Reset(w io.Writer) { b.wr, b.buf, b.err = w, b.buf[:0], nil }
func (b *Writer) Buffered() int     { return len(b.buf) }
func (b *Writer) Available() int    { return b.size - len(b.buf) }
func (b *Writer) Size() int         { return b.size }

func (b *Writer) Flush() error {
	if b.err != nil || len(b.buf) == 0 {
		return b.err
	}
	n, err := b.wr.Write(b.buf)
	if n < len(b.buf) && err == nil {
		err = io.ErrShortWrite
	}
	b.buf, b.err = append(b.buf[:0], b.buf[n:]...), err
	return err
}

func (b *Writer) Write(p []byte) (n int, err error) { return b.write(p, true) }

// write writes what is too large for an empty buffer directly, if it may.
func (b *Writer) write(p []byte, directly bool) (n int, err error) {
	for len(p) > b.Available() && b.err == nil {
		part := b.Available()
		if len(b.buf) == 0 && directly {
			part, b.err = b.wr.Write(p)
		} else {
			b.buf = append(b.buf, p[:part]...)
			b.Flush()
		}
		n += part
		p = p[part:]
	}
	if b.err != nil {
		return n, b.err
	}
	b.buf = append(b.buf, p...)
	return n + len(p), nil
}

func (b *Writer) WriteString(s string) (int, error) {
	_, whole := b.wr.(io.StringWriter)
	return b.write([]byte(s), whole)
}

func (b *Writer) WriteRune(r rune) (size int, err error) { return b.WriteString(string(r)) }

func (b *Writer) WriteByte(c byte) error {
	_, err := b.Write([]byte{c})
	return err
}

// ReadWriter is a Reader and a Writer.
type ReadWriter struct {
	*Reader
	*Writer
}

func NewReadWriter(r *Reader, w *Writer) *ReadWriter { return &ReadWriter{r, w} }
