package fiberio

import (
	"context"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// Reader is a stream that fibers read from, such as the standard input. Any number of fibers may
// call Read; they are served in order of arrival.
type Reader struct {
	world   *World
	pool    *blocking.Pool // on which reads run
	from    io.Reader
	name    string
	reading *wait.Mutex // orders the fibers
	opLock  opLock      // orders the operations on the pool

	// Bytes that were read and not returned yet. They are guarded by opLock.turn, and outlive
	// the operation that read them, so a fiber that gives up loses no bytes.
	buf    []byte
	unread []byte // part of buf
}

// minRead and maxRead bound the size of one read.
const (
	minRead = 4 << 10
	maxRead = 64 << 10
)

// NewReader makes a Reader; reports show the name. If from has working read deadlines, as pipes
// and connections have, a fiber that gives up leaves no goroutine behind. Otherwise the
// goroutine stays until bytes arrive, which the next Read returns.
func (w *World) NewReader(from io.Reader, name string) *Reader {
	if from == os.Stdin {
		from = interruptibleStdin()
	}
	r := new(Reader)
	r.open(w, from, name)
	return r
}

// Stdin is a Reader of Config.Access.Stdin.
func (w *World) Stdin() *Reader {
	from := w.access.Stdin
	if from == nil {
		from = strings.NewReader("")
	}
	return w.NewReader(from, "the standard input")
}

// interruptibleStdin is the standard input with read deadlines, if the system allows it. Go reads
// an inherited descriptor by blocking calls, and making it non-blocking would affect the
// processes that share it. Opening it again gives a description that is this process's alone.
func interruptibleStdin() *os.File {
	info, err := os.Stdin.Stat()
	waits := err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeCharDevice) != 0
	if !waits || runtime.GOOS != "linux" {
		return os.Stdin
	}
	again, err := os.OpenFile("/proc/self/fd/0", os.O_RDONLY, 0)
	if err != nil {
		return os.Stdin
	}
	return again
}

// open makes r ready for use. A stream without read deadlines cannot be interrupted.
func (r *Reader) open(w *World, from io.Reader, name string) {
	r.world, r.pool, r.from, r.name, r.reading = w, w.pools.waits, from, name, wait.NewMutex(wait.HandOver)
	r.reading.SetName("reading from " + name)
	r.opLock.setDeadline = func(time.Time) error { return os.ErrNoDeadline }
	if from, ok := from.(interface{ SetReadDeadline(time.Time) error }); ok {
		r.opLock.setDeadline = from.SetReadDeadline
	}
}

// Read is as Conn.Read.
func (r *Reader) Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	if err := f.LockUntil(r.reading, deadline); err != nil {
		return 0, err
	}
	defer func() { _ = f.Unlock(r.reading) }()
	if n := r.take(p); n > 0 || len(p) == 0 {
		return n, nil
	}
	// The operation reads into a buffer of the Reader's and not into p, because it may outlive
	// this call.
	limit := min(max(len(p), minRead), maxRead)
	op := &operation{lock: &r.opLock}
	_, err := r.world.pooled(f, r.pool, doing{"read", r.name}, deadline, func(context.Context) (any, error) {
		return nil, op.run(func() error { return r.fill(limit) })
	}, op.abort)
	if err != nil {
		return 0, err
	}
	return r.take(p), nil
}

// take returns bytes that were read before. While an aborted operation is still in its call,
// there may be some soon; then the next operation finds them.
func (r *Reader) take(p []byte) int {
	if !r.opLock.turn.TryLock() {
		return 0
	}
	defer r.opLock.turn.Unlock()
	n := copy(p, r.unread)
	r.unread = r.unread[n:]
	return n
}

// fill reads, unless an aborted operation has read bytes meanwhile.
func (r *Reader) fill(limit int) error {
	if len(r.unread) > 0 {
		return nil
	}
	if len(r.buf) < limit {
		r.buf = make([]byte, limit)
	}
	n, err := r.from.Read(r.buf)
	r.unread = r.buf[:n]
	if n > 0 {
		return nil
	}
	return err
}
