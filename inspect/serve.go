package inspect

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"time"
)

// ErrNoToken refuses an inspector that other machines could reach without knowing anything.
var ErrNoToken = errors.New("inspect: other machines can reach this address, so it needs a Config.Token: give one, or listen on 127.0.0.1")

// closeTime is how long Close lets requests end by themselves.
const closeTime = 250 * time.Millisecond

// Server serves a Handler on a Listener, with limits for slow and silent clients.
type Server struct {
	handler *Handler
	http    *http.Server
	done    chan struct{}
}

// Serve begins to serve, on goroutines of its own, which Close ends. The Listener and the Handler belong to the Server from
// then on. A Handler without a token is refused (ErrNoToken) unless only this machine can reach the Listener; both
// are closed then.
func Serve(l *Listener, h *Handler) (*Server, error) {
	if h.cfg.Token == "" && !l.Loopback() {
		h.Close()
		return nil, errors.Join(ErrNoToken, l.Close())
	}
	s := &Server{handler: h, done: make(chan struct{}), http: &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: writeTime,
		IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 14, ErrorLog: log.New(io.Discard, "", 0),
	}}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(l) // until it is closed
	}()
	return s, nil
}

// Close closes the Handler, sends the streams of events their end, and ends all connections.
func (s *Server) Close() {
	s.handler.Close()
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	_ = s.http.Shutdown(ctx) // what has not ended by then is cut off
	_ = s.http.Close()
	<-s.done
}
