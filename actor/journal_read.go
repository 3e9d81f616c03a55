package actor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// ErrReplayDiffers is the cause of a *JournalError when the replay does something other
// than the journal says. The error shows the line of the journal and that of the replay.
var ErrReplayDiffers = errors.New("the replay differs")

// JournalError is the first line at which a replay ends early: the line is malformed, the
// system cannot carry it out, or the replay differs from it (ErrReplayDiffers).
type JournalError struct {
	Line int // from 1
	err  error
}

// Error gives the line and the cause.
func (e *JournalError) Error() string {
	return fmt.Sprintf("actor: journal, line %d: %v", e.Line, e.err)
}

// Unwrap returns the cause.
func (e *JournalError) Unwrap() error { return e.err }

// differs is the error at the reader's line when the replay would have written this line in
// its place; "" if it would have written none.
func (r *reader) differs(replay string) error {
	if replay == "" {
		replay = "nothing"
	}
	return r.wrong(fmt.Errorf("%w:\n  journal: %s\n  replay:  %s", ErrReplayDiffers, r.text, replay))
}

// Mistakes of a journal as a whole.
var (
	errCut     = errors.New("the journal was cut short: its last line is missing")
	errChanged = errors.New("the journal was changed after it was written: its checksum is another")
	errBeyond  = errors.New("something stands behind the last line")
)

// written is a line as it was read.
type written struct {
	Journal string
	Version int
	Seed    uint64
	Turn    *int64
	Do, In  string
	From    Handle
	To      Handle
	Actor   Handle
	Name    string
	Cause   *string
	Failed  bool
	Blocked bool
	N       int
	Msg     json.RawMessage
	End     *uint64
	Sum     uint32
}

// reader reads a journal line by line, and believes nothing of it.
type reader struct {
	in     *bufio.Scanner
	number int // of the line in text
	sum    uint32
	text   []byte
	line   written
}

func newReader(from io.Reader) *reader {
	r := &reader{in: bufio.NewScanner(from)}
	r.in.Buffer(make([]byte, 0, 1<<12), maxLine)
	return r
}

// next reads a line; io.EOF behind the last one of a whole journal.
func (r *reader) next() error {
	if r.number > 0 {
		r.sum = crc32.Update(r.sum, crc32.IEEETable, append(r.text, '\n'))
	}
	r.number++
	r.text, r.line = nil, written{}
	if !r.in.Scan() {
		if err := r.in.Err(); err != nil {
			return r.wrong(err)
		}
		return r.wrong(errCut)
	}
	r.text = bytes.Clone(r.in.Bytes())
	d := json.NewDecoder(bytes.NewReader(r.text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r.line); err != nil {
		return r.wrong(err)
	}
	if r.line.End == nil {
		return nil
	}
	switch want := lastLine(uint64(r.number-2), r.sum); {
	case !bytes.Equal(r.text, want):
		return r.wrong(errChanged)
	case r.in.Scan():
		r.number++
		return r.wrong(errBeyond)
	}
	return io.EOF
}

func (r *reader) wrong(err error) error { return &JournalError{Line: r.number, err: err} }

// recorded is a cause, or the value of a panic, of which the journal has the text only.
type recorded string

func (r recorded) Error() string { return string(r) }

// cause is that of the line; nil if it has none.
func (l *written) cause() error {
	if l.Cause == nil {
		return nil
	}
	return recorded(*l.Cause)
}
