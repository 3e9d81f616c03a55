package fiberio_test

import (
	"errors"
	"net"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// acceptError is what net reports if the system call fails.
func acceptError(errno syscall.Errno) error {
	return &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", errno)}
}

// accepting runs a fiber in a bubble with a listener whose first calls of accept fail.
func accepting(t *testing.T, errs []error, test func(w *fixture, f *stackful.Fiber, p *pipes, l *fiberio.Listener)) {
	inBubble(t, func(w *fixture) {
		p := newPipes(errs...)
		l, err := fiberio.ListenOn(w.world, p)
		require.NoError(t, err)
		defer func() { _ = l.Close() }()
		w.alone(func(f *stackful.Fiber) { test(w, f, p, l) })
	})
}

// dialed is a connection that waits to be accepted.
func (w *fixture) dialed(p *pipes) {
	client := make(chan net.Conn, 1)
	go func() { client <- p.dial() }()
	w.Cleanup(func() { _ = (<-client).Close() })
}

// Accept waits for the end of a shortage: 5 ms, then twice as long each time, up to a second.
func TestAcceptRetriesAfterATemporaryError(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ECONNABORTED, syscall.ENOBUFS, syscall.ENOMEM} {
		t.Run(errno.Error(), func(t *testing.T) {
			errs := slices.Repeat([]error{acceptError(errno)}, 10)
			accepting(t, errs, func(w *fixture, f *stackful.Fiber, p *pipes, l *fiberio.Listener) {
				w.dialed(p)
				begin := time.Now()
				c, err := l.Accept(f, fiber.Never)
				require.NoError(t, err)
				_ = c.Close()
				assert.Equal(t, (5+10+20+40+80+160+320+640+1000+1000)*time.Millisecond, time.Since(begin))
				assert.Equal(t, 11, p.accepts)

				w.dialed(p)
				begin = time.Now()
				c, err = l.Accept(f, fiber.Never)
				require.NoError(t, err)
				_ = c.Close()
				assert.Zero(t, time.Since(begin))
			})
		})
	}
}

// Connections that a program has lost without closing them are closed by the garbage collector,
// which does not run while nothing is allocated. A shortage of descriptors that lasts starts it.
func TestAShortageOfDescriptorsThatLastsCollectsLostConnections(t *testing.T) {
	for _, c := range []struct {
		errno       syscall.Errno
		tries       int
		collections uint32
	}{
		{syscall.EMFILE, 5, 0}, {syscall.EMFILE, 6, 1}, {syscall.EMFILE, 60, 1}, {syscall.ENFILE, 60, 1}, {syscall.ENOBUFS, 60, 0},
	} {
		errs := slices.Repeat([]error{acceptError(c.errno)}, c.tries)
		accepting(t, errs, func(w *fixture, f *stackful.Fiber, p *pipes, l *fiberio.Listener) {
			w.dialed(p)
			before := forcedCollections()
			opened, err := l.Accept(f, fiber.Never)
			require.NoError(t, err)
			_ = opened.Close()
			assert.Equal(t, c.collections, forcedCollections()-before, "%v, %d tries", c.errno, c.tries)
		})
	}
}

func forcedCollections() uint32 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.NumForcedGC
}

func TestAcceptReturnsOtherErrors(t *testing.T) {
	for _, want := range []error{acceptError(syscall.EINVAL), errors.New("strange")} {
		accepting(t, []error{want}, func(_ *fixture, f *stackful.Fiber, p *pipes, l *fiberio.Listener) {
			_, err := l.Accept(f, fiber.Never)
			assert.ErrorIs(t, err, want)
			assert.Equal(t, 1, p.accepts)
		})
	}
}

// Between two tries an Accept ends as it does during one: at once, and no connection is lost.
func TestAnAcceptThatRetriesCanBeEnded(t *testing.T) {
	shortage := slices.Repeat([]error{acceptError(syscall.EMFILE)}, 9) // the last pause begins at 1,275 ms
	for name, c := range map[string]struct {
		end  func(w *fixture, f *stackful.Fiber, l *fiberio.Listener)
		want error
	}{
		"deadline": {func(*fixture, *stackful.Fiber, *fiberio.Listener) {}, stackful.ErrTimeout},
		"close":    {func(_ *fixture, _ *stackful.Fiber, l *fiberio.Listener) { _ = l.Close() }, net.ErrClosed},
		"cancel": {func(w *fixture, f *stackful.Fiber, _ *fiberio.Listener) {
			assert.NoError(t, w.rt.Scheduler().Cancel(f.ID(), os.ErrProcessDone))
		}, os.ErrProcessDone},
	} {
		t.Run(name, func(t *testing.T) {
			accepting(t, shortage, func(w *fixture, f *stackful.Fiber, p *pipes, l *fiberio.Listener) {
				const at = 1300 * time.Millisecond
				w.fiber("end", func(g *stackful.Fiber) error {
					err := g.Sleep(at)
					c.end(w, f, l)
					return err
				})
				begin := time.Now()
				deadline := fiber.Never
				if name == "deadline" {
					deadline = f.Within(at)
				}
				_, err := l.Accept(f, deadline)
				assert.ErrorIs(t, err, c.want)
				assert.Equal(t, at, time.Since(begin))
				if name != "close" {
					w.dialed(p)
					c, err := l.Accept(f, fiber.Never)
					require.NoError(t, err)
					_ = c.Close()
				}
			})
		})
	}
}

func TestAServerOutlivesAShortage(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENOBUFS} {
		inBubble(t, func(w *fixture) {
			p := newPipes(acceptError(errno), acceptError(errno))
			w.servingOn(p, w.world.NewServer(echo, fiberio.ServerConfig{}), func(l *pipes) {
				c := l.dial()
				defer func() { _ = c.Close() }()
				send(t, c, post+"Content-Length: 3\r\nConnection: close\r\n\r\nabc")
				assert.Contains(t, response(t, c), "\r\n\r\n3")
			})
		})
	}
}
