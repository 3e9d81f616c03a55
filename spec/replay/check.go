package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// MaxLine is the longest line a trace can have, in bytes without the line's end.
const MaxLine = 1 << 10

// shown is how many lines a Divergence has of what came before it.
const shown = 8

// Report is what was found about a trace.
type Report struct {
	// Transitions is how many follow the specification.
	Transitions uint64
	// Fibers and Calls are the most slots of each pool that were in use.
	Fibers, Calls int
}

// Check reads a trace and does every transition again on the specification. The error is
// nil if all of them are allowed there and the trace is whole. Otherwise it wraps
// ErrTruncated, or is a *FormatError, *VersionError, *Divergence or *Uncovered, or an
// error of the reader; the Report counts the transitions before it.
//
// Memory is bounded by what is alive at once in the run, whatever the trace's length.
func Check(trace io.Reader) (Report, error) {
	c := newChecker(trace)
	err := c.check()
	report := Report{Transitions: c.done}
	if c.run != nil {
		report.Fibers, report.Calls = len(c.run.fibers), len(c.run.calls)
	}
	return report, err
}

type checker struct {
	in      *bufio.Reader
	version int // of the trace
	line    int
	// seen is the checksum of all lines read, prior that of all but the last.
	seen, prior uint32
	before      [shown]bytes.Buffer
	run         *run
	done        uint64
}

func newChecker(trace io.Reader) *checker {
	return &checker{in: bufio.NewReaderSize(trace, MaxLine+2)}
}

func (c *checker) check() error {
	if err := c.begin(); err != nil {
		return err
	}
	for {
		text, err := c.next()
		if err != nil {
			return err
		}
		var rec record
		if err := rec.parse(text, c.version); err != nil {
			return &FormatError{c.line, err}
		}
		if rec.Op == "end" {
			return c.end(&rec, text)
		}
		if err := c.step(&rec, text); err != nil {
			return err
		}
		c.done++
		c.keep(text)
	}
}

// begin reads the first line. Of another version only its number is understood.
func (c *checker) begin() error {
	text, err := c.next()
	if err != nil {
		return err
	}
	var h header
	if err := json.Unmarshal(text, &h); err != nil || h.Trace != "selvage" {
		return &FormatError{c.line, errors.New("this is not the first line of a trace")}
	}
	if h.Version < 1 || h.Version > Version {
		return &VersionError{h.Version}
	}
	c.version = h.Version
	if err := strictly(text, &h); err != nil {
		return &FormatError{c.line, err}
	}
	c.run = newRun(h)
	c.keep(text)
	return nil
}

// next is the next line, good until the one after it.
func (c *checker) next() ([]byte, error) {
	text, err := c.in.ReadSlice('\n')
	c.line++
	c.prior, c.seen = c.seen, crc32.Update(c.seen, crc32.IEEETable, text)
	switch {
	case errors.Is(err, bufio.ErrBufferFull) || len(text) > MaxLine+1:
		return nil, &FormatError{c.line, fmt.Errorf("the line has more than %d bytes", MaxLine)}
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("line %d: %w", c.line, ErrTruncated)
	case err != nil:
		return nil, fmt.Errorf("line %d: cannot read the trace: %w", c.line, err)
	}
	return text[:len(text)-1], nil
}

// keep remembers a line, to be shown before one that is wrong.
func (c *checker) keep(text []byte) {
	kept := &c.before[c.line%shown]
	kept.Reset()
	kept.Write(text)
}

func (c *checker) step(rec *record, text []byte) error {
	err := steps[rec.Op](c.run, rec)
	var breach *breach
	var what unmodelled
	switch {
	case err == nil:
		return nil
	case errors.As(err, &breach):
		return &Divergence{
			Line: c.line, Text: string(text), Rule: breach.rule, Found: breach.found,
			Allowed: c.run.allowed(), Before: c.linesBefore(),
		}
	case errors.As(err, &what):
		return &Uncovered{c.line, string(text), string(what)}
	}
	return &FormatError{c.line, err}
}

func (c *checker) linesBefore() []string {
	var lines []string
	for n := max(1, c.line-shown); n < c.line; n++ {
		lines = append(lines, c.before[n%shown].String())
	}
	return lines
}

// end holds the last line against what was read: it counts the lines and has their sum,
// and nothing follows it.
func (c *checker) end(rec *record, text []byte) error {
	want := fmt.Sprintf(`{"op":"end","count":%d,"sum":%d}`, rec.Count, rec.Sum)
	is := string(text)
	switch _, err := c.in.Peek(1); {
	case is != want:
		return &FormatError{c.line, fmt.Errorf("the end is written %s", want)}
	case rec.Count != c.done:
		return &FormatError{c.line, fmt.Errorf("the trace says it has %d transitions, and has %d", rec.Count, c.done)}
	case rec.Sum != c.prior:
		return &FormatError{c.line, fmt.Errorf("the lines before have the checksum %d, not %d: some of them were changed", c.prior, rec.Sum)}
	case err == nil:
		return &FormatError{c.line + 1, errors.New("a line behind the end")}
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("line %d: cannot read the trace: %w", c.line+1, err)
	}
	return nil
}
