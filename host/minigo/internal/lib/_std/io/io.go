// Package io is what minigo has of Go's.
package io

import "errors"

type Writer interface {
	Write(p []byte) (n int, err error)
}

type Reader interface {
	Read(p []byte) (n int, err error)
}

type Closer interface{ Close() error }

type ReadWriter interface {
	Reader
	Writer
}

type ReadCloser interface {
	Reader
	Closer
}

type WriteCloser interface {
	Writer
	Closer
}

type ReadWriteCloser interface {
	Reader
	Writer
	Closer
}

type StringWriter interface {
	WriteString(s string) (n int, err error)
}

type ByteReader interface{ ReadByte() (byte, error) }
type ByteWriter interface{ WriteByte(c byte) error }

type WriterTo interface {
	WriteTo(w Writer) (n int64, err error)
}

type ReaderFrom interface {
	ReadFrom(r Reader) (n int64, err error)
}

var (
	EOF              = errors.New("EOF")
	ErrUnexpectedEOF = errors.New("unexpected EOF")
	ErrShortWrite    = errors.New("short write")
	ErrShortBuffer   = errors.New("short buffer")
	ErrNoProgress    = errors.New("multiple Read calls return no data or error")
	ErrClosedPipe    = errors.New("io: read/write on closed pipe")
)

func WriteString(w Writer, s string) (n int, err error) {
	if sw, ok := w.(StringWriter); ok {
		return sw.WriteString(s)
	}
	return w.Write([]byte(s))
}

type discard struct{}

func (discard) Write(p []byte) (int, error)       { return len(p), nil }
func (discard) WriteString(s string) (int, error) { return len(s), nil }

var Discard Writer = discard{}

func ReadAll(r Reader) ([]byte, error) {
	var all []byte
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		all = append(all, buf[:n]...)
		if err == EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
}

func ReadAtLeast(r Reader, buf []byte, min int) (n int, err error) {
	if len(buf) < min {
		return 0, ErrShortBuffer
	}
	for n < min && err == nil {
		var part int
		part, err = r.Read(buf[n:])
		n += part
	}
	switch {
	case n >= min:
		err = nil
	case n > 0 && err == EOF:
		err = ErrUnexpectedEOF
	}
	return n, err
}

func ReadFull(r Reader, buf []byte) (n int, err error) { return ReadAtLeast(r, buf, len(buf)) }

func Copy(dst Writer, src Reader) (written int64, err error) {
	switch to, ok := dst.(ReaderFrom); from := src.(type) {
	case WriterTo:
		return from.WriteTo(dst)
	default:
		if ok {
			return to.ReadFrom(src)
		}
	}
	return CopyBuffer(dst, src, make([]byte, 32*1024))
}

func CopyBuffer(dst Writer, src Reader, buf []byte) (written int64, err error) {
	if buf == nil {
		buf = make([]byte, 32*1024)
	}
	for {
		n, err := src.Read(buf)
		if n > 0 {
			done, bad := dst.Write(buf[:n])
			written += int64(done)
			if bad == nil && done < n {
				bad = ErrShortWrite
			}
			if bad != nil {
				return written, bad
			}
		}
		if err == EOF {
			return written, nil
		}
		if err != nil {
			return written, err
		}
	}
}

func CopyN(dst Writer, src Reader, n int64) (written int64, err error) {
	written, err = Copy(dst, LimitReader(src, n))
	if written < n && err == nil {
		err = EOF
	}
	return written, err
}

type LimitedReader struct {
	R Reader
	N int64
}

func LimitReader(r Reader, n int64) Reader { return &LimitedReader{r, n} }

func (l *LimitedReader) Read(p []byte) (n int, err error) {
	if l.N <= 0 {
		return 0, EOF
	}
	if int64(len(p)) > l.N {
		p = p[:l.N]
	}
	n, err = l.R.Read(p)
	l.N -= int64(n)
	return n, err
}

type teeReader struct {
	r Reader
	w Writer
}

func TeeReader(r Reader, w Writer) Reader { return &teeReader{r, w} }

func (t *teeReader) Read(p []byte) (n int, err error) {
	n, err = t.r.Read(p)
	if n > 0 {
		if n, err := t.w.Write(p[:n]); err != nil {
			return n, err
		}
	}
	return n, err
}

type multiWriter struct{ writers []Writer }

func MultiWriter(writers ...Writer) Writer {
	return &multiWriter{append([]Writer(nil), writers...)}
}

func (t *multiWriter) Write(p []byte) (n int, err error) {
	for _, w := range t.writers {
		n, err = w.Write(p)
		if err == nil && n != len(p) {
			err = ErrShortWrite
		}
		if err != nil {
			return n, err
		}
	}
	return len(p), nil
}

type multiReader struct{ readers []Reader }

func MultiReader(readers ...Reader) Reader {
	return &multiReader{append([]Reader(nil), readers...)}
}

func (m *multiReader) Read(p []byte) (n int, err error) {
	for len(m.readers) > 0 {
		n, err = m.readers[0].Read(p)
		if err == EOF {
			m.readers = m.readers[1:]
		}
		if n > 0 || err != EOF {
			if err == EOF && len(m.readers) > 0 {
				err = nil
			}
			return n, err
		}
	}
	return 0, EOF
}

type nopCloser struct{ Reader }

func (nopCloser) Close() error { return nil }

func NopCloser(r Reader) ReadCloser { return nopCloser{r} }
