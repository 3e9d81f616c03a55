package fibers

import (
	"bytes"
	"fmt"
	"io"
	"math"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
)

// want is what a read is to give.
type want struct {
	line, all bool
	n         int // bytes; 0 with neither of the others: what comes next
}

// wanted is the optional argument of a read.
func wanted(L *glua.LState, arg int) want {
	switch v := L.Get(arg).(type) {
	case *glua.LNilType:
		return want{}
	case glua.LNumber:
		return want{n: int(integer(L, arg, "number of bytes", v, 1, math.MaxInt32))}
	case glua.LString:
		switch v {
		case "*l":
			return want{line: true}
		case "*a":
			return want{all: true}
		}
	}
	L.ArgError(arg, fmt.Sprintf(`what to read: %s; want "*l" (a line), "*a" (all there is) or a number of bytes`, word(L.Get(arg))))
	return want{}
}

// lines is what has been read of a stream and not given out. A read that is broken off
// leaves it to the next.
type lines struct {
	name    string
	most    int64 // bytes that one read gives, so that an endless line does not take all memory
	pending []byte
	scanned int // of pending: there is no end of a line
}

// read gives what is wanted, by as many reads as it takes; io.EOF if there is nothing more.
func (b *lines) read(w want, more func([]byte) (int, error)) ([]byte, error) {
	buf := make([]byte, chunkOf(w))
	for {
		if got, ok := b.cut(w); ok {
			return got, nil
		}
		if int64(len(b.pending)) > b.most {
			return nil, tooMuchOf(b.name, b.most)
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

func tooMuchOf(name string, most int64) error {
	return &fiberio.TooLargeError{What: "what is to be read of " + name, Limit: most}
}

// chunkOf is how much to read at once.
func chunkOf(w want) int {
	const least, most = 4 << 10, 64 << 10
	return min(max(w.n, least), most)
}

// cut takes what is wanted from the front, if it is there.
func (b *lines) cut(w want) (got []byte, ok bool) {
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

// rest takes what is left at the end.
func (b *lines) rest() []byte {
	got := b.pending
	b.pending, b.scanned = nil, 0
	return got
}
