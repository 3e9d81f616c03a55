package fiberio

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"strings"
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

// ResolveBy makes the names that the World looks up have the IPv4 addresses that answer returns.
func ResolveBy(w *World, answer func(name string) [4]byte) {
	w.resolver.Dial = func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go serveNames(server, answer) // until the resolver closes its end
		return client, nil
	}
}

// serveNames answers queries of DNS, each behind its length in two bytes.
func serveNames(c net.Conn, answer func(name string) [4]byte) {
	defer func() { _ = c.Close() }()
	for {
		var length [2]byte
		if _, err := io.ReadFull(c, length[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(c, query); err != nil {
			return
		}
		reply := nameReply(query, answer)
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

func nameReply(query []byte, answer func(name string) [4]byte) []byte {
	const header = 12
	var labels []string
	at := header
	for query[at] != 0 {
		end := at + 1 + int(query[at])
		labels = append(labels, string(query[at+1:end]))
		at = end
	}
	question := query[header : at+5] // the end of the name, type and class
	reply := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question...)
	if kind := question[len(question)-3]; kind == 1 { // A
		reply[7] = 1
		addr := answer(strings.Join(labels, "."))
		reply = append(reply, 0xc0, header, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		reply = append(reply, addr[:]...)
	}
	return reply
}

// UsesProxy reports whether the HTTP client asks the environment for a proxy.
func UsesProxy(w *World) bool { return w.transport().Proxy != nil }
