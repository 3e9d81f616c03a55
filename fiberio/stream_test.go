package fiberio_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// streams is serveDuring for a StreamHandler.
func (w *fixture) streams(h fiberio.StreamHandler, visit func(f *stackful.Fiber, s *site)) {
	w.Helper()
	w.serveDuring(w.world.NewStreamServer(h, fiberio.ServerConfig{}), visit)
}

// request sends a request and returns the head of the response.
func (s *site) request(f *stackful.Fiber, path string) *fiberio.Answer {
	r, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	require.NoError(s, err)
	answer, err := s.world.Request(f, r, fiber.Never)
	require.NoError(s, err)
	return answer
}

// all reads a body to its end.
func all(f *stackful.Fiber, r interface {
	Read(*stackful.Fiber, []byte, fiber.Time) (int, error)
}) (got []byte, err error) {
	buf := make([]byte, 1<<10)
	for {
		n, err := r.Read(f, buf, fiber.Never)
		got = append(got, buf[:n]...)
		if err == io.EOF {
			return got, nil
		}
		if err != nil {
			return got, err
		}
	}
}

// The handler writes the next part only after the client has read the last.
func TestAResponseIsReadWhileItIsWritten(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	seen := wait.NewChan[string](0)
	w.streams(func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
		x.Header().Set("X-Mark", "1")
		x.SetStatus(http.StatusTeapot)
		for _, piece := range []string{"one", "two", "three"} {
			if _, err := x.Write(f, []byte(piece), fiber.Never); err != nil {
				return nil, err
			}
			got, _, err := stackful.Recv(f, seen)
			assert.Equal(w, piece, got)
			if err != nil {
				return nil, err
			}
		}
		return nil, nil
	}, func(f *stackful.Fiber, s *site) {
		answer := s.request(f, "/")
		defer answer.Body.Close(f)
		assert.Equal(w, "418 1", fmt.Sprint(answer.Status, " ", answer.Header.Get("X-Mark")))
		for range 3 {
			require.NoError(w, stackful.Send(f, seen, impatient(w, f, answer.Body)))
		}
		_, err := answer.Body.Read(f, make([]byte, 1), fiber.Never)
		assert.Equal(w, io.EOF, err)
	})
}

// impatient reads with deadlines so short that most reads time out.
func impatient(w *fixture, f *stackful.Fiber, b *fiberio.Body) string {
	buf := make([]byte, 100)
	for {
		n, err := b.Read(f, buf, f.Within(100*time.Microsecond))
		if err == nil {
			return string(buf[:n])
		}
		require.ErrorIs(w, err, stackful.ErrTimeout)
	}
}

// The client sends the next part of its body after the response to the last has arrived.
func TestABodyIsReadAndRespondedToWhileItArrives(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.streams(func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
		buf := make([]byte, 100)
		for {
			n, err := x.Read(f, buf, fiber.Never)
			if err == io.EOF {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			if _, err := x.Write(f, bytes.ToUpper(buf[:n]), fiber.Never); err != nil {
				return nil, err
			}
		}
	}, func(f *stackful.Fiber, s *site) {
		c, err := w.world.Dial(f, "tcp", s.address, fiber.Never)
		require.NoError(w, err)
		defer func() { _ = c.Close() }()
		_, err = c.WriteString(f, "POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n", fiber.Never)
		require.NoError(w, err)
		for _, piece := range []string{"one", "two", "six"} {
			_, err = c.WriteString(f, "3\r\n"+piece+"\r\n", fiber.Never)
			require.NoError(w, err)
			_, err = untilSuffix(f, c, "3\r\n"+string(bytes.ToUpper([]byte(piece)))+"\r\n")
			require.NoError(w, err)
		}
		_, err = c.WriteString(f, "0\r\n\r\n", fiber.Never)
		require.NoError(w, err)
		_, err = untilSuffix(f, c, "0\r\n\r\n")
		require.NoError(w, err)
	})
}

// Write blocks; its deadline cuts the response off, and the client sees that it is not whole.
func TestAClientThatDoesNotReadBlocksWrite(t *testing.T) {
	const endless = 1 << 30
	w := newFixture(t, fiberio.Config{})
	given := false
	w.streams(func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
		piece, sent := make([]byte, 64<<10), 0
		for sent < endless {
			if _, err := x.Write(f, piece, f.Within(50*time.Millisecond)); err != nil {
				assert.ErrorIs(w, err, stackful.ErrTimeout)
				given = true
				return nil, nil
			}
			sent += len(piece)
		}
		w.Error("a gigabyte was written and not read")
		return nil, nil
	}, func(f *stackful.Fiber, s *site) {
		answer := s.request(f, "/")
		defer answer.Body.Close(f)
		for !given {
			require.NoError(w, f.Sleep(time.Millisecond))
		}
		_, err := all(f, answer.Body)
		assert.Error(w, err)
	})
}

func TestAHandlerThatFailsMidwayCutsTheResponseOff(t *testing.T) {
	for name, fail := range map[string]func() (*fiberio.Response, error){
		"an error":      func() (*fiberio.Response, error) { return nil, errors.New("the secret reason") },
		"a panic":       func() (*fiberio.Response, error) { panic("the secret reason") },
		"a second word": func() (*fiberio.Response, error) { return text(200, "instead"), nil },
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, fiberio.Config{})
			w.streams(func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
				if x.Request.URL.Path != "/at-once" {
					if _, err := x.Write(f, []byte("half"), fiber.Never); err != nil {
						return nil, err
					}
				} else if name == "a second word" {
					return nil, nil
				}
				return fail()
			}, func(f *stackful.Fiber, s *site) {
				answer := s.request(f, "/")
				got, err := all(f, answer.Body)
				assert.Equal(w, "half", string(got))
				assert.ErrorIs(w, err, io.ErrUnexpectedEOF)
				answer.Body.Close(f)
				early := s.request(f, "/at-once")
				got, err = all(f, early.Body)
				assert.NoError(w, err)
				assert.NotContains(w, string(got), "secret")
				assert.Contains(w, []int{204, 500}, early.Status)
				early.Body.Close(f)
			})
		})
	}
}

// The second Write times out before it begins. Nothing of it was sent, and still the response is
// not whole.
func TestAnAbandonedWriteCutsTheResponseOff(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.streams(func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
		if _, err := x.Write(f, []byte("half"), fiber.Never); err != nil {
			return nil, err
		}
		_, err := x.Write(f, []byte("more"), f.Now()-1)
		assert.ErrorIs(w, err, stackful.ErrTimeout)
		return nil, nil
	}, func(f *stackful.Fiber, s *site) {
		answer := s.request(f, "/")
		defer answer.Body.Close(f)
		_, err := all(f, answer.Body)
		assert.ErrorIs(w, err, io.ErrUnexpectedEOF)
	})
}

// The client announces a body and does not send it.
func TestAHandlerCanRespondAfterTheBodyTimesOut(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.streams(func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
		_, err := x.Read(f, make([]byte, 1), f.Within(time.Millisecond))
		assert.ErrorIs(w, err, stackful.ErrTimeout)
		return text(http.StatusRequestTimeout, "too slow"), nil
	}, func(f *stackful.Fiber, s *site) {
		c, err := w.world.Dial(f, "tcp", s.address, fiber.Never)
		require.NoError(w, err)
		defer func() { _ = c.Close() }()
		_, err = c.WriteString(f, "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\n", fiber.Never)
		require.NoError(w, err)
		answer, err := all(f, c)
		assert.NoError(w, err)
		assert.Contains(w, string(answer), "HTTP/1.1 408 ")
		assert.Contains(w, string(answer), "Connection: close")
	})
}

func TestAStreamIsUnusableAfterItsHandlerReturned(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	var kept *fiberio.Stream
	w.streams(func(_ *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
		kept = x
		return text(200, "all"), nil
	}, func(f *stackful.Fiber, s *site) {
		answer := s.request(f, "/")
		got, err := all(f, answer.Body)
		assert.NoError(w, err)
		assert.Equal(w, "all", string(got))
		answer.Body.Close(f)
		_, err = kept.Write(f, []byte("late"), fiber.Never)
		assert.ErrorIs(w, err, fiberio.ErrAnswered)
		_, err = kept.Read(f, make([]byte, 1), fiber.Never)
		assert.ErrorIs(w, err, fiberio.ErrAnswered)
	})
}

// The body is closed by Close, or by the end or the kill of its fiber.
func TestClosingABodyCancelsTheServersHandler(t *testing.T) {
	for name, leave := range map[string]func(w *fixture, f *stackful.Fiber, b *fiberio.Body){
		"closed": func(w *fixture, f *stackful.Fiber, b *fiberio.Body) {
			b.Close(f)
			b.Close(f)
			_, err := b.Read(f, make([]byte, 1), fiber.Never)
			assert.ErrorIs(w, err, net.ErrClosed)
			_ = f.Sleep(time.Hour) // keep the fiber alive
		},
		"left":   func(*fixture, *stackful.Fiber, *fiberio.Body) {},
		"killed": func(w *fixture, f *stackful.Fiber, _ *fiberio.Body) { _ = w.rt.Scheduler().Kill(f.ID(), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, fiberio.Config{})
			var client *stackful.Task
			gone := false
			w.streams(func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
				defer func() { gone = true }()
				_, err := x.Write(f, []byte("first"), fiber.Never)
				if err == nil { // else the client disconnected before Write returned
					err = f.Sleep(time.Hour)
				}
				assert.ErrorIs(w, err, fiberio.ErrClientGone)
				_, err = x.Write(f, []byte("late"), fiber.Never)
				assert.Error(w, err)
				return nil, nil
			}, func(f *stackful.Fiber, s *site) {
				var err error
				client, err = w.rt.Go("client", func(f *stackful.Fiber) (any, error) {
					answer := s.request(f, "/")
					if _, err := answer.Body.Read(f, make([]byte, 5), fiber.Never); err != nil {
						return nil, err
					}
					leave(w, f, answer.Body)
					return nil, nil
				})
				require.NoError(w, err)
				for !gone {
					require.NoError(w, f.Sleep(time.Microsecond))
				}
				_ = w.rt.Scheduler().Kill(client.ID(), nil)
			})
		})
	}
}
