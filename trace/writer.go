package trace

import (
	"bufio"
	"hash/crc32"
	"io"

	"github.com/selvage-dev/selvage/scheduler"
)

// Version is that of the format.
const Version = 2

// Writer writes the transitions of one scheduler. The scheduler's owner uses it.
type Writer struct {
	out   *bufio.Writer
	line  []byte
	count uint64
	sum   uint32
	err   error
}

// New writes the first line of a trace, and sets cfg.Observer so that a scheduler made
// with cfg writes the others; set cfg.Choose before, if at all. Close the Writer when the scheduler is done. Close
// returns the first error of the writing; the run does not notice it.
func New(to io.Writer, cfg *scheduler.Config) *Writer {
	w := &Writer{out: bufio.NewWriterSize(to, 1<<16)}
	l := line(w.line).open("trace", "selvage").number("version", Version).number("scheduler", uint64(cfg.Number))
	w.write(l.flag("grace", cfg.Grace > 0).flag("free", cfg.Choose != nil))
	cfg.Observer = w.observe
	return w
}

// Close writes the last line, which says how many there are, and returns the first error
// of the writing. The underlying writer stays open.
func (w *Writer) Close() error {
	w.write(line(w.line).open("op", "end").number("count", w.count).number("sum", uint64(w.sum)))
	if err := w.out.Flush(); w.err == nil {
		w.err = err
	}
	return w.err
}

func (w *Writer) observe(t scheduler.Transition) {
	if w.err != nil || isNoName(t) {
		return
	}
	w.count++
	w.write(describe(line(w.line), t))
}

func (w *Writer) write(l line) {
	l = append(l, '}', '\n')
	w.line = l[:0]
	w.sum = crc32.Update(w.sum, crc32.IEEETable, l)
	if _, err := w.out.Write(l); w.err == nil {
		w.err = err
	}
}
