package fibers

import (
	"bufio"
	"fmt"
	"io"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// readAll reads one value for each format, up to the first that finds the end of the file: its
// value is nil. If the read is interrupted, the next read gets all the data that this one has
// taken.
func (f *file) readAll(formats []glua.LValue) (results []glua.LValue, err error) {
	var taken []byte
	for i, format := range formats {
		v, raw, err := f.readOne(format)
		if err == io.EOF {
			return append(results, glua.LNil), nil
		}
		if err != nil || i < len(formats)-1 {
			taken = append(taken, raw...)
		}
		if err != nil {
			return nil, f.putBack(taken, err)
		}
		results = append(results, v)
	}
	return results, nil
}

// putBack makes the data that a read has taken available again if err says that the fiber was
// interrupted. It returns err.
func (f *file) putBack(taken []byte, err error) error {
	if _, stop := err.(*stackful.Interrupt); stop {
		behind, _ := f.in.Peek(f.in.Buffered())
		f.back = append(append(taken, behind...), f.back...)
		f.in.Reset(f)
	}
	return err
}

// readOne returns a value and the data it was made of. If it fails, the data is what was taken.
func (f *file) readOne(format glua.LValue) (v glua.LValue, raw string, err error) {
	if n, ok := format.(glua.LNumber); ok {
		raw, err = f.readBytes(int64(n))
		return glua.LString(raw), raw, err
	}
	switch word(format) {
	case "*a":
		raw, err = f.readRest()
		return glua.LString(raw), raw, err
	case "*n":
		var n glua.LNumber
		digits := taker{from: f.in}
		_, err := fmt.Fscanf(&digits, glua.LNumberScanFormat, &n)
		return n, string(digits.taken), err
	}
	raw, err = f.in.ReadString('\n')
	line, err := lineOf(raw, err)
	return glua.LString(line), raw, err
}

// taker records the runes that are read through it.
type taker struct {
	from  *bufio.Reader
	taken []byte
	last  int // the size of the last rune
}

func (t *taker) Read([]byte) (int, error) { panic("a number is read by runes") }

func (t *taker) ReadRune() (r rune, size int, err error) {
	r, size, err = t.from.ReadRune()
	if t.last = size; r != utf8.RuneError || size != 1 {
		t.taken = append(t.taken, string(r)[:size]...)
		return r, size, err
	}
	_ = t.from.UnreadByte() // it was just read
	wrong, err := t.from.ReadByte()
	t.taken = append(t.taken, wrong)
	return r, size, err
}

func (t *taker) UnreadRune() error {
	t.taken = t.taken[:len(t.taken)-t.last]
	if t.last == 1 {
		return t.from.UnreadByte()
	}
	return t.from.UnreadRune()
}

// readRest reads to the end, or fails after maxBytes.
func (f *file) readRest() (string, error) {
	most := f.lib.maxBytes()
	all, err := io.ReadAll(io.LimitReader(f.in, most+1))
	if err == nil && int64(len(all)) > most {
		err = &fiberio.TooLargeError{What: "the rest of the file", Limit: most}
	}
	return string(all), err
}

// readBytes reads n bytes, or fewer at the end. With n = 0 it only checks for the end.
func (f *file) readBytes(n int64) (string, error) {
	if n <= 0 {
		_, err := f.in.Peek(1)
		return "", err
	}
	data, err := io.ReadAll(io.LimitReader(f.in, n))
	if err == nil && len(data) == 0 {
		err = io.EOF
	}
	return string(data), err
}

func (f *file) readLine() (string, error) {
	raw, err := f.in.ReadString('\n')
	if err != nil && err != io.EOF {
		return "", f.putBack([]byte(raw), err)
	}
	return lineOf(raw, err)
}

func lineOf(raw string, err error) (string, error) {
	if err == io.EOF && raw != "" {
		return raw, nil
	}
	if err != nil {
		return "", err
	}
	return raw[:len(raw)-1], nil
}
