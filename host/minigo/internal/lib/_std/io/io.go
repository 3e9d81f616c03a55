// Package io is what minigo has of Go's.
package io

import "errors"

type Writer interface {
	Write(p []byte) (n int, err error)
}

type Reader interface {
	Read(p []byte) (n int, err error)
}

type StringWriter interface {
	WriteString(s string) (n int, err error)
}

var (
	EOF              = errors.New("EOF")
	ErrUnexpectedEOF = errors.New("unexpected EOF")
	ErrShortWrite    = errors.New("short write")
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
