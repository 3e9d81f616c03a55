package fiberio_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// A request that breaks a limit ends, and the others of its connection go on.
func TestTheLimitsOfHTTP2AreThoseOfARequest(t *testing.T) {
	inBubble(t, func(w *fixture) {
		secure, trusting := identity(t)
		l, dials := newPipes(), 0
		listener, err := fiberio.ListenOn(w.world, l)
		require.NoError(t, err)
		server := w.world.NewServer(echo, fiberio.ServerConfig{MaxBody: 100})
		transport := &http.Transport{
			DialContext:       func(context.Context, string, string) (net.Conn, error) { dials++; return l.dial(), nil },
			TLSClientConfig:   trusting,
			ForceAttemptHTTP2: true,
		}
		client := &http.Client{Transport: transport}
		w.fiber("serving", func(f *stackful.Fiber) error { return server.ServeTLS(f, listener, secure, fiber.Never) })
		w.fiber("client", func(f *stackful.Fiber) error {
			defer server.Close()
			_, err := fiberio.Wait(w.world, f, fiber.Never, func(context.Context) (struct{}, error) {
				defer transport.CloseIdleConnections()
				for _, c := range []struct {
					body   string
					stalls bool
					status int
					after  time.Duration
				}{
					{"abc", false, 200, 0}, {strings.Repeat("x", 101), false, 413, 0}, {"ab", true, 408, 10 * time.Second}, {"abc", false, 200, 0},
				} {
					body, rest := io.Pipe()
					go func() {
						_, _ = io.WriteString(rest, c.body)
						if !c.stalls {
							_ = rest.Close()
						}
					}()
					begin := time.Now()
					answer, err := client.Post("https://127.0.0.1/", "text/plain", body)
					if !assert.NoError(t, err) {
						break
					}
					assert.Equal(t, c.status, answer.StatusCode)
					assert.Equal(t, 2, answer.ProtoMajor)
					assert.InDelta(t, c.after.Seconds(), time.Since(begin).Seconds(), 1)
					_ = answer.Body.Close()
					_ = body.Close()
				}
				return struct{}{}, nil
			})
			return err
		})
		w.run()
		assert.Equal(t, 1, dials)
		assert.Zero(t, fiberio.BodyMemory(server))
	})
}
