package fibers

import (
	"bytes"
	"fmt"
	"io"
	"math"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
)

// part is what one read returns.
type part struct {
	line, all bool
	n         int // bytes; if it is 0, and line and all are false: the data that arrives next
}

// partArgument reads the optional argument of a read.
func partArgument(L *glua.LState, arg int) part {
	switch v := L.Get(arg).(type) {
	case *glua.LNilType:
		return part{}
	case glua.LNumber:
		return part{n: int(integer(L, arg, "number of bytes", v, 1, math.MaxInt32))}
	case glua.LString:
		switch v {
		case "*l":
			return part{line: true}
		case "*a":
			return part{all: true}
		}
	}
	L.ArgError(arg, fmt.Sprintf(`what to read: %s; want "*l" (a line), "*a" (all there is) or a number of bytes`, word(L.Get(arg))))
	return part{}
}

// lineBuffer holds the data of a stream that was read and not yet returned. After an interrupted
// read the data remains for the next one.
type lineBuffer struct {
	name    string
	most    int64 // the most bytes that one read returns: an endless line must not take all memory
	pending []byte
	scanned int // how many bytes of pending are known to have no end of line
}

// read returns a part, and calls more until it is complete. The error is io.EOF if nothing is
// left.
func (b *lineBuffer) read(w part, more func([]byte) (int, error)) ([]byte, error) {
	buf := make([]byte, chunkOf(w))
	for {
		if got, ok := b.cut(w); ok {
			return got, nil
		}
		if int64(len(b.pending)) > b.most {
			return nil, tooLarge(b.name, b.most)
		}
		n, err := more(buf)
		b.pending = append(b.pending, buf[:n]...)
		if err == io.EOF && (len(b.pending) > 0 || w.all) {
			return b.rest(), nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func tooLarge(name string, most int64) error {
	return &fiberio.TooLargeError{What: "what is to be read of " + name, Limit: most}
}

// chunkOf is how many bytes to ask for at once.
func chunkOf(w part) int {
	const least, most = 4 << 10, 64 << 10
	return min(max(w.n, least), most)
}

// cut removes a part from the front, if it is complete.
func (b *lineBuffer) cut(w part) (got []byte, ok bool) {
	n, skip := len(b.pending), 0
	switch {
	case w.all:
		return nil, false
	case w.line:
		at := bytes.IndexByte(b.pending[b.scanned:], '\n')
		if at < 0 {
			b.scanned = len(b.pending)
			return nil, false
		}
		n, skip = b.scanned+at, 1
	case n == 0 || n < w.n:
		return nil, false
	case w.n > 0:
		n = w.n
	}
	got = b.pending[:n]
	b.pending, b.scanned = b.pending[n+skip:], 0
	return got, true
}

// rest removes all that is left.
func (b *lineBuffer) rest() []byte {
	got := b.pending
	b.pending, b.scanned = nil, 0
	return got
}
