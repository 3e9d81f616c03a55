package fiberio

import (
	"math"
	"time"
)

// ServerConfig limits what a client can hold of a server. In every field 0 is the default, and a
// negative value is no limit.
//
// The handlers of NewStreamServer have deadlines of their own for their reads and writes. There
// BodyTimeout, MinRate and MaxBody are without a limit by default, and MaxBodies and WriteTimeout
// have no effect. A body that is too slow closes the connection, and the handler is cancelled.
type ServerConfig struct {
	// MaxConnections is how many connections the server has open; 10,000 by default. Beyond that it
	// accepts none (back-pressure): the system queues further clients, and then refuses them.
	MaxConnections int64
	// ReadHeaderTimeout is how long a client may take to send the header of a request, and for
	// the handshake of TLS; 10 s by default. Then the connection is closed.
	ReadHeaderTimeout time.Duration
	// IdleTimeout is how long a connection stays open without a request; 2 min by default.
	IdleTimeout time.Duration
	// BodyTimeout is how long the body of a request may take to arrive, from the end of the header
	// on; 5 min by default. The response is then status 408, or 503 if the body was waiting for
	// MaxBodies.
	BodyTimeout time.Duration
	// MinRate is how many bytes per second of a body a client must send; 1,000 by default. It may
	// be ten seconds behind at any time; beyond that the response is status 408. Time in which the
	// server does not read does not count.
	MinRate int64
	// MaxBody is how many bytes the body of a request may have; Config.MaxBytes by default, but at
	// most 32 MB. The response to a larger one is status 413.
	MaxBody int64
	// MaxBodies is how many bytes the bodies of all requests of the server hold together, from
	// their arrival to the ends of the handlers' fibers; 256 MB by default, and MaxBody is never
	// more. Beyond that the server does not read from the connections (back-pressure): the bodies
	// go on in order of arrival, and the oldest one always has MaxBody to itself, so that it
	// needs no room of the others. HTTP/2 buffers up to 1 MB for each connection besides.
	MaxBodies int64
	// WriteTimeout is how long a client may take to accept each 64 kB of a response; 1 min by
	// default. Then the connection is closed.
	WriteTimeout time.Duration
}

// The defaults of a ServerConfig.
const (
	defaultMaxConnections    = 10_000
	defaultReadHeaderTimeout = 10 * time.Second
	defaultIdleTimeout       = 2 * time.Minute // longer than that of clients, so that they close first
	defaultBodyTimeout       = 5 * time.Minute
	defaultMinRate           = 1000
	defaultMaxBody           = 32 << 20
	defaultMaxBodies         = 256 << 20
	defaultWriteTimeout      = time.Minute
)

// forBodies are the limits of a server that reads bodies before it handles requests.
func (cfg ServerConfig) forBodies(maxBytes int64) ServerConfig {
	cfg.BodyTimeout = limitOr(cfg.BodyTimeout, defaultBodyTimeout)
	cfg.MinRate = limitOr(cfg.MinRate, defaultMinRate)
	cfg.MaxBodies = limitOr(cfg.MaxBodies, defaultMaxBodies)
	cfg.MaxBody = min(limitOr(cfg.MaxBody, min(maxBytes, defaultMaxBody)), cfg.MaxBodies)
	cfg.WriteTimeout = limitOr(cfg.WriteTimeout, defaultWriteTimeout)
	return cfg.forConns()
}

// forStreams are the limits of a server whose handlers read the bodies.
func (cfg ServerConfig) forStreams() ServerConfig {
	cfg.BodyTimeout = limitOr(cfg.BodyTimeout, math.MaxInt64)
	cfg.MinRate = limitOr(cfg.MinRate, math.MaxInt64)
	cfg.MaxBody = limitOr(cfg.MaxBody, math.MaxInt64)
	return cfg.forConns()
}

func (cfg ServerConfig) forConns() ServerConfig {
	cfg.MaxConnections = limitOr(cfg.MaxConnections, defaultMaxConnections)
	cfg.ReadHeaderTimeout = limitOr(cfg.ReadHeaderTimeout, defaultReadHeaderTimeout)
	cfg.IdleTimeout = limitOr(cfg.IdleTimeout, defaultIdleTimeout)
	return cfg
}

// limitOr replaces 0 by the default, and a negative value, which is no limit, by the largest one.
func limitOr[T ~int64](limit, byDefault T) T {
	switch {
	case limit == 0:
		return byDefault
	case limit < 0:
		return math.MaxInt64
	}
	return limit
}
