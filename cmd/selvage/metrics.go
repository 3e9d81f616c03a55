package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/selvage-dev/selvage/metrics"
	"github.com/selvage-dev/selvage/scheduler"
)

// metricsFlags choose where Prometheus finds the numbers of a run.
type metricsFlags struct {
	Metrics string `help:"Serve the numbers of the scheduler while the program runs, for Prometheus, at this address, HOST:PORT; without HOST only to this machine; port 0 chooses a free one. stderr tells the address." placeholder:"ADDR"`
}

func (f metricsFlags) check(copies int, schedule string) error {
	switch {
	case f.Metrics == "":
		return nil
	case copies > 1:
		return errors.New("--metrics: they are of one program; leave --copies out")
	case schedule != "":
		return errors.New("--metrics: a run under a --schedule has none; leave one of them out")
	}
	return nil
}

// maxScrapes is how many scrapes are answered at once; further ones are refused.
const maxScrapes = 16

// metricsServer serves the numbers of a run; the zero value does nothing.
type metricsServer struct {
	listener net.Listener
	source   *metrics.Source
	server   *http.Server
	done     chan struct{} // closed when the server's goroutine has ended
}

// listen takes the address before the program runs.
func (m *metricsServer) listen(addr string) error {
	if addr == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("--metrics: %q is no address of the form HOST:PORT: %w", addr, err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if m.listener, err = net.Listen("tcp", net.JoinHostPort(host, port)); err != nil {
		return fmt.Errorf("--metrics: %w", err)
	}
	return nil
}

// serve begins to serve, and tells the address.
func (m *metricsServer) serve(s *session, on *scheduler.Core) (err error) {
	if m.listener == nil {
		return nil
	}
	collector, registry := metrics.New(metrics.Config{Follow: s.islands.measured}), prometheus.NewRegistry()
	if m.source, err = collector.Add(metrics.Scheduler{Name: "main", Core: on, Recorder: s.recorder}); err != nil {
		return err
	}
	if err := registry.Register(collector); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: maxScrapes}))
	m.server = &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 14, ErrorLog: log.New(io.Discard, "", 0),
	}
	m.done = make(chan struct{})
	go func() {
		defer close(m.done)
		_ = m.server.Serve(m.listener) // until it is closed
	}()
	s.announce("metrics", fmt.Sprintf("http://%v/metrics", m.listener.Addr()))
	return nil
}

// close ends what serve has begun. No scrape waits any more for the owner, which does not answer after the run.
func (m *metricsServer) close() {
	switch {
	case m.server != nil:
		m.source.Remove()
		ctx, cancel := context.WithTimeout(context.Background(), 250*time.Millisecond)
		defer cancel()
		_ = m.server.Shutdown(ctx) // what has not ended by then is cut off
		_ = m.server.Close()
		<-m.done
	case m.listener != nil:
		_ = m.listener.Close()
	}
}
