package fiberio

import (
	"net"
	"syscall"
)

// Descriptor is the number of a connection's descriptor.
func Descriptor(c *Conn) (fd uintptr) {
	raw, err := c.conn.(syscall.Conn).SyscallConn()
	if err == nil {
		err = raw.Control(func(n uintptr) { fd = n })
	}
	if err != nil {
		panic(err)
	}
	return fd
}

// Reset closes a connection by a TCP reset.
func Reset(c *Conn) error {
	if err := c.conn.(*net.TCPConn).SetLinger(0); err != nil {
		return err
	}
	return c.Close()
}

// Accepting reports whether an operation is in the accept call or about to make it.
func Accepting(l *Listener) bool {
	l.accepts.mu.Lock()
	defer l.accepts.mu.Unlock()
	return l.accepts.now != nil
}

// ListenOn makes a Listener of any net.Listener.
func ListenOn(w *World, l net.Listener) (*Listener, error) { return w.newListener(l) }

// DefaultMaxConnections is the default of ServerConfig.MaxConnections.
const DefaultMaxConnections = defaultMaxConnections

// BodyMemory is how many bytes the bodies of a server's requests hold.
func BodyMemory(s *Server) int64 {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	return s.room.used
}
