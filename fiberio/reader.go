package fiberio

import (
	"context"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// Reader is a stream that fibers read from: a connection, the standard input. Any number of
// them may; they take turns in order of arrival.
type Reader struct {
	world   *World
	pool    *reactor.Pool // that does it
	from    io.Reader
	reading *wait.Mutex // of the fibers
	lane    lane        // of the operations

	// What has been read and nobody has taken. It is whoever's who holds lane.turn, and
	// outlives the operation that read it: a reader that gives up loses nothing.
	buf    []byte
	unread []byte // part of buf
}

// leastRead is how much is read at once, at least, and mostRead at most.
const (
	leastRead = 4 << 10
	mostRead  = 64 << 10
)

// NewReader makes a Reader of anything, named so in reports. If it has deadlines (pipes,
// terminals that were opened for that), a fiber that gives up leaves no goroutine behind;
// otherwise the goroutine stays until something comes, and what comes is the next reader's.
func (w *World) NewReader(from io.Reader, name string) *Reader {
	r := new(Reader)
	r.open(w, from, name)
	return r
}

// Stdin is a Reader of this process's standard input.
func (w *World) Stdin() *Reader { return w.NewReader(patientStdin(), "the standard input") }

// patientStdin is the standard input in a form that has deadlines, where there is one: Go
// reads what it was started with by calls that nothing can interrupt, and to change its mode
// would change it for the processes that share it. Opened again, it is this process's alone.
func patientStdin() *os.File {
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

func (r *Reader) open(w *World, from io.Reader, name string) {
	r.world, r.pool, r.from, r.reading = w, w.waits, from, wait.NewMutex(wait.HandOn)
	r.reading.SetName("reading from " + name)
	r.lane.setDeadline = func(time.Time) error { return os.ErrNoDeadline }
	if from, ok := from.(interface{ SetReadDeadline(time.Time) error }); ok {
		r.lane.setDeadline = from.SetReadDeadline
	}
}

// Read is Conn.Read.
func (r *Reader) Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	if err := f.LockUntil(r.reading, deadline); err != nil {
		return 0, err
	}
	defer func() { _ = f.Unlock(r.reading) }()
	if n := r.take(p); n > 0 || len(p) == 0 {
		return n, nil
	}
	most := min(max(len(p), leastRead), mostRead)
	pass := &passage{lane: &r.lane}
	_, err := r.world.pooled(f, r.pool, deadline, func(context.Context) (any, error) {
		return nil, pass.through(func() error { return r.fill(most) })
	}, pass.abort)
	if err != nil {
		return 0, err
	}
	return r.take(p), nil
}

// take takes what has been read before. While an operation that was given up is still
// inside, nobody knows; the next one comes behind it.
func (r *Reader) take(p []byte) int {
	if !r.lane.turn.TryLock() {
		return 0
	}
	defer r.lane.turn.Unlock()
	n := copy(p, r.unread)
	r.unread = r.unread[n:]
	return n
}

// fill reads, unless the operation before has left something.
func (r *Reader) fill(most int) error {
	if len(r.unread) > 0 {
		return nil
	}
	if len(r.buf) < most {
		r.buf = make([]byte, most)
	}
	n, err := r.from.Read(r.buf)
	r.unread = r.buf[:n]
	if n > 0 {
		return nil
	}
	return err
}
