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

// journalVersion is the version of the format; docs/actors.md has its table.
const journalVersion = 1

// maxLine bounds a line of a journal: a message with what is said about it.
const maxLine = 1 << 20

// Codec says how a journal writes messages and reads them: as JSON values on one line.
type Codec[M any] struct {
	Encode func(M) ([]byte, error)
	Decode func([]byte) (M, error)
}

// JSON is the Codec of package encoding/json, which refuses fields it does not know.
func JSON[M any]() Codec[M] {
	return Codec[M]{
		Encode: func(msg M) ([]byte, error) { return json.Marshal(msg) },
		Decode: func(text []byte) (msg M, err error) {
			d := json.NewDecoder(bytes.NewReader(text))
			d.DisallowUnknownFields()
			err = d.Decode(&msg)
			return msg, err
		},
	}
}

var errStarted = errors.New("actor: the system has been given commands already; record or replay one that New has just made")

// Recorder writes the journal of one system: every command, in the order in which they were
// carried out, and between them whatever came to the system from code that a replay does
// not run. The system's owner uses it.
type Recorder[M any] struct {
	out   *bufio.Writer
	count uint64
	sum   uint32
	err   error
	done  bool // nothing stands behind the last line
}

// Record begins the journal of a new system. Close it when the system is done. Close
// returns the first error of the writing; the run does not notice it. Errors: the system was
// given commands before, or has a journal already.
func Record[M any](s *System[M], to io.Writer, c Codec[M]) (*Recorder[M], error) {
	given("Record", s != nil, "the system to record")
	given("Record", to != nil, "a writer for the journal")
	given("Record", c.Encode != nil, "a Codec with Encode, such as JSON")
	r := &Recorder[M]{out: bufio.NewWriterSize(to, 1<<16)}
	if err := s.keep(&journal[M]{codec: c, sink: r}); err != nil {
		return nil, err
	}
	r.line(s.journal.header(s.opts.Seed), nil)
	return r, nil
}

// Close writes the last line, which says how many there are, and returns the first error of
// the writing or of the Codec. What the system does afterwards is not written. The underlying
// writer stays open.
func (r *Recorder[M]) Close() error {
	if r.done {
		return r.err
	}
	r.write(lastLine(r.count-1, r.sum))
	r.done = true
	if err := r.out.Flush(); r.err == nil {
		r.err = err
	}
	return r.err
}

// lastLine says how many lines there are between the first and the last, and the CRC-32 of
// all bytes before it.
func lastLine(count uint64, sum uint32) []byte {
	return fmt.Appendf(nil, `{"end":%d,"sum":%d}`, count, sum)
}

func (r *Recorder[M]) line(text []byte, err error) {
	if err == nil && len(text) >= maxLine {
		err = fmt.Errorf("actor: a line of the journal has %d bytes; at most %d are read back", len(text), maxLine)
	}
	if r.err == nil {
		r.err = err
	}
	if r.err == nil && !r.done {
		r.count++
		r.write(text)
	}
}

func (r *Recorder[M]) write(text []byte) {
	text = append(text, '\n')
	r.sum = crc32.Update(r.sum, crc32.IEEETable, text)
	if _, err := r.out.Write(text); r.err == nil {
		r.err = err
	}
}
