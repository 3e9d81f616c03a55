package fiberio_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// fill reads until p is full.
func fill(f *stackful.Fiber, c *fiberio.Conn, p []byte) error {
	for len(p) > 0 {
		n, err := c.Read(f, p, fiber.Never)
		if err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}

func TestFibersTalkOverTCP(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	w.fiber("server", func(f *stackful.Fiber) error {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		if err != nil {
			return err
		}
		for n := range 10 {
			w.fiber(fmt.Sprint("client ", n), func(f *stackful.Fiber) error {
				c, err := w.world.Dial(f, "tcp", l.Addr().String(), fiber.Never)
				if err != nil {
					return err
				}
				defer func() { _ = c.Close() }()
				want := fmt.Appendf(nil, "hello from %d", n)
				if _, err := c.Write(f, want, fiber.Never); err != nil {
					return err
				}
				got := make([]byte, len(want))
				err = fill(f, c, got)
				assert.Equal(w, string(want), string(got))
				if err == nil {
					err = c.CloseWrite()
				}
				return err
			})
		}
		for range 10 {
			c, err := l.Accept(f, fiber.Never)
			if err != nil {
				return err
			}
			w.fiber("echo", func(f *stackful.Fiber) error {
				defer func() { _ = c.Close() }()
				var buf [7]byte // smaller than a message: the rest stays for the next Read
				for {
					n, err := c.Read(f, buf[:], fiber.Never)
					if err != nil {
						assert.Equal(w, io.EOF, err)
						return nil
					}
					if _, err := c.Write(f, buf[:n], fiber.Never); err != nil {
						return err
					}
				}
			})
		}
		return l.Close()
	})
	w.run()
}

// A thousand readers that wait for hours take no worker from the files, of which there is
// one.
func TestIdleConnectionsDoNotStarveFiles(t *testing.T) {
	const idle = 1000
	w := newTown(t, fiberio.Config{Workers: 1})
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("content"), 0o600))
	w.alone(func(f *stackful.Fiber) {
		var conns []*fiberio.Conn
		var readers []*stackful.Task
		for range idle / 2 {
			a, b := w.pair(f)
			conns = append(conns, a, b)
		}
		for _, c := range conns {
			readers = append(readers, w.fiber("idle", func(f *stackful.Fiber) error {
				_, err := c.Read(f, make([]byte, 1), fiber.Never)
				assert.Error(w, err) // the end, or that it is closed: either end may be the first
				return nil
			}))
		}
		require.NoError(w, f.Yield())
		data, err := w.world.ReadFile(f, path, fiber.Never)
		assert.NoError(w, err)
		assert.Equal(w, "content", string(data))
		for _, c := range conns {
			_ = c.Close()
		}
		for _, r := range readers {
			_, err := f.Join(r)
			assert.NoError(w, err)
		}
	})
}

// What arrives while a deadline passes is read by the next Read: not lost, not twice.
func TestDeadlinesLoseNoBytes(t *testing.T) {
	const size = 20_000
	w := newTown(t, fiberio.Config{})
	sent := make([]byte, size)
	for i := range sent {
		sent[i] = byte(rand.Uint32())
	}
	var got []byte
	timeouts := 0
	w.alone(func(f *stackful.Fiber) {
		a, b := w.pair(f)
		w.fiber("writer", func(f *stackful.Fiber) error {
			defer func() { _ = a.Close() }()
			for p := sent; len(p) > 0; {
				n := min(len(p), 1+rand.IntN(40))
				if _, err := a.Write(f, p[:n], fiber.Never); err != nil {
					return err
				}
				p = p[n:]
				if rand.IntN(4) == 0 {
					if err := f.Sleep(time.Duration(rand.IntN(50)) * time.Microsecond); err != nil {
						return err
					}
				}
			}
			return nil
		})
		buf := make([]byte, 64)
		for {
			n, err := b.Read(f, buf[:1+rand.IntN(64)], f.Within(time.Duration(rand.IntN(30))*time.Microsecond))
			got = append(got, buf[:n]...)
			if err == io.EOF {
				return
			}
			if err != nil {
				require.ErrorIs(w, err, stackful.ErrTimeout)
				timeouts++
			}
		}
	})
	assert.True(t, bytes.Equal(sent, got), "%d bytes read of %d sent, after %d timeouts", len(got), size, timeouts)
	assert.Positive(t, timeouts)
}

func TestADeadlineInAcceptLosesNoConnection(t *testing.T) {
	const clients = 100
	w := newTown(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		for n := range clients {
			w.fiber("client", func(f *stackful.Fiber) error {
				c, err := w.world.Dial(f, "tcp", l.Addr().String(), fiber.Never)
				if err != nil {
					return err
				}
				defer func() { _ = c.Close() }()
				_, err = c.Write(f, []byte{byte(n)}, fiber.Never)
				return err
			})
		}
		seen := map[byte]bool{}
		for len(seen) < clients {
			c, err := l.Accept(f, f.Within(time.Duration(rand.IntN(20))*time.Microsecond))
			if err != nil {
				require.ErrorIs(w, err, stackful.ErrTimeout)
				continue
			}
			var b [1]byte
			require.NoError(w, fill(f, c, b[:]))
			require.False(w, seen[b[0]])
			seen[b[0]] = true
			_ = c.Close()
		}
		_ = l.Close()
	})
}

func TestClosingWakesWhoeverWaits(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		a, _ := w.pair(f)
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		w.fiber("closer", func(f *stackful.Fiber) error { return errors.Join(a.Close(), l.Close()) })
		_, err = a.Read(f, make([]byte, 1), fiber.Never)
		assert.ErrorIs(w, err, net.ErrClosed)
		assert.ErrorContains(w, err, "read tcp 127.0.0.1:")
		_, err = a.WriteString(f, "late", fiber.Never)
		assert.ErrorIs(w, err, net.ErrClosed)
		_, err = l.Accept(f, fiber.Never)
		assert.ErrorIs(w, err, net.ErrClosed)
	})
}

// The fd of a connection that was closed under a reader is given to the next connection.
// The old read must not see it (docs/design.md#defects: fd number reused under a pending read).
func TestAReusedDescriptorIsNeverTouchedByTheOldOperation(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		reused := 0
		for range 50 {
			a, b := w.pair(f)
			old := fiberio.Descriptor(a)
			reader := w.fiber("old reader", func(f *stackful.Fiber) error {
				n, err := a.Read(f, make([]byte, 8), fiber.Never)
				assert.Zero(w, n)
				assert.ErrorIs(w, err, net.ErrClosed)
				return nil
			})
			require.NoError(w, f.Yield()) // it waits
			require.NoError(w, a.Close())
			c, d := w.pair(f)
			if fiberio.Descriptor(c) == old || fiberio.Descriptor(d) == old {
				reused++
			}
			_, err := d.WriteString(f, "secret", fiber.Never)
			require.NoError(w, err)
			_, err = f.Join(reader)
			require.NoError(w, err)
			var got [6]byte
			require.NoError(w, fill(f, c, got[:]))
			assert.Equal(w, "secret", string(got[:]))
			_, _, _ = b.Close(), c.Close(), d.Close()
		}
		assert.Positive(w, reused, "no descriptor was used again: the test has seen nothing")
	})
}

// A reader that gives up leaves its operation behind for a moment. The next reader must
// have the connection for itself, whatever the two do to the deadline.
func TestWhoeverGivesUpLeavesTheConnectionUsable(t *testing.T) {
	for name, end := range map[string]func(w *town, task *stackful.Task) error{
		"cancelled": func(w *town, task *stackful.Task) error { return w.rt.Scheduler().Cancel(task.ID(), nil) },
		"killed":    func(w *town, task *stackful.Task) error { return w.rt.Scheduler().Kill(task.ID(), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t, fiberio.Config{})
			w.alone(func(f *stackful.Fiber) {
				a, b := w.pair(f)
				for range 200 {
					reader := w.fiber("gives up", func(f *stackful.Fiber) error {
						_, err := a.Read(f, make([]byte, 8), fiber.Never)
						var stopped *stackful.Interrupt
						assert.ErrorAs(w, err, &stopped)
						return nil
					})
					require.NoError(w, f.Yield())
					require.NoError(w, end(w, reader))
					_, err := b.WriteString(f, "x", fiber.Never)
					require.NoError(w, err)
					var got [1]byte
					require.NoError(w, fill(f, a, got[:]))
					assert.Equal(w, "x", string(got[:]))
				}
				w.settled(f)
			})
		})
	}
}

func TestAConnectionThatIsResetSaysSo(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		a, b := w.pair(f)
		_, err := a.WriteString(f, "unread", fiber.Never)
		require.NoError(w, err)
		var one [1]byte
		require.NoError(w, fill(f, b, one[:]))
		require.NoError(w, fiberio.Reset(b))
		_, err = a.Read(f, one[:], fiber.Never)
		assert.ErrorIs(w, err, syscall.ECONNRESET)
		assert.ErrorContains(w, err, "connection reset by peer")
	})
}

func TestADialThatGivesUpLeavesNothing(t *testing.T) {
	w := newTown(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		for range 100 {
			_, err := w.world.Dial(f, "tcp", l.Addr().String(), f.Within(time.Duration(rand.IntN(100))*time.Microsecond))
			if err != nil {
				assert.ErrorIs(w, err, stackful.ErrTimeout)
			}
		}
		w.settled(f)
		_ = l.Close()
	})
}
