package sandbox

import (
	"net/netip"
	"strconv"
	"strings"
)

// Network decides which endpoints an Access reaches. It does not change, so any number of goroutines
// may use it.
type Network struct {
	process      bool
	dial, listen endpoints
}

// endpoints are the entries of one field of an Access.
type endpoints struct {
	field, op string
	every     bool // * means every address, and not only public ones
	list      []endpoint
}

// Network parses Dial and Listen. The error is an *EntryError.
func (a Access) Network() (*Network, error) {
	n := &Network{
		process: a.process,
		dial:    endpoints{field: "Dial", op: "connect"},
		listen:  endpoints{field: "Listen", op: "listen", every: true},
	}
	if a.process {
		return n, nil
	}
	if err := n.dial.parse(a.Dial); err != nil {
		return nil, err
	}
	return n, n.listen.parse(a.Listen)
}

func (es *endpoints) parse(entries []string) error {
	for _, entry := range entries {
		parsed, why := parseEndpoint(entry)
		if why != "" {
			return &EntryError{es.field, entry, why}
		}
		es.list = append(es.list, parsed)
	}
	return nil
}

// Dial decides, before a name is resolved, whether a guest may try to connect to HOST:PORT. The network
// is that of net.Dial; only TCP is allowed. The address that the name resolves to is for Dialed.
func (n *Network) Dial(network, address string) error { return n.before(&n.dial, network, address) }

// Dialed decides whether a guest that has asked for HOST:PORT may connect to an address and port. Call
// it when they are known, right before the connection is made, such as in net.Dialer.ControlContext.
func (n *Network) Dialed(address, to string) error { return n.after(&n.dial, address, to) }

// Listen is Dial for listening. Without a host, the guest asks for all addresses of the machine.
func (n *Network) Listen(network, address string) error { return n.before(&n.listen, network, address) }

// Listened is Dialed for listening.
func (n *Network) Listened(address, on string) error { return n.after(&n.listen, address, on) }

// Resolve decides whether a guest may have a name resolved: some entry, with any port, may reach it.
// Else it could tell names that it makes up to the server that resolves them.
func (n *Network) Resolve(host string) error {
	if n.process || n.dial.mayReach(host, 0, true) || n.listen.mayReach(host, 0, true) {
		return nil
	}
	return &AccessError{Op: "resolve", What: host, Field: n.dial.field}
}

func (n *Network) before(es *endpoints, network, address string) error {
	if n.process {
		return nil
	}
	if !strings.HasPrefix(network, "tcp") {
		return &AccessError{Op: es.op, What: network + " " + address, Why: "the network of a sandbox is tcp only"}
	}
	host, port, why := splitEndpoint(address)
	if why == "" && es.mayReach(host, port, false) {
		return nil
	}
	return &AccessError{Op: es.op, What: address, Field: es.field, Why: why}
}

func (n *Network) after(es *endpoints, address, at string) error {
	if n.process {
		return nil
	}
	host, port, why := splitEndpoint(address)
	actual, actualPort, _ := splitEndpoint(at) // no host and no port if it is none
	addr, known := literal(actual)
	if why == "" && known && port == actualPort && es.reaches(host, addr, port) {
		return nil
	}
	if why == "" {
		why = "its address is " + at
		if known && !public(addr) {
			why += ", which is not public and needs an entry of its own"
		}
	}
	return &AccessError{Op: es.op, What: address, Field: es.field, Why: why}
}

// splitEndpoint is net.SplitHostPort for a port that is a number.
func splitEndpoint(address string) (host string, port uint16, why string) {
	colon := strings.LastIndexByte(address, ':')
	n, err := strconv.ParseUint(address[colon+1:], 10, 16)
	if colon < 0 || err != nil {
		return "", 0, "want host:port with a number as the port"
	}
	host = address[:colon]
	inner, opened := strings.CutPrefix(host, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if opened != closed || opened != strings.Contains(inner, ":") {
		return "", 0, "want an IPv6 address in brackets"
	}
	return inner, uint16(n), ""
}

// mayReach returns whether an entry reaches a host for some result of its resolution.
func (es *endpoints) mayReach(host string, port uint16, anyPort bool) bool {
	addr, isAddress := literal(host)
	for _, e := range es.list {
		if !anyPort && !e.ports && e.port != port {
			continue
		}
		switch {
		case isAddress:
			if e.reaches(host, addr, es.every) {
				return true
			}
		case e.every, e.name != "" && e.name == canonicalName(host), canonicalName(host) == localhost && e.local():
			return true
		}
	}
	return false
}

// reaches returns whether an entry reaches an address that has been found for a host.
func (es *endpoints) reaches(host string, addr netip.Addr, port uint16) bool {
	for _, e := range es.list {
		if (e.ports || e.port == port) && e.reaches(host, addr, es.every) {
			return true
		}
	}
	return false
}

func (e endpoint) reaches(host string, addr netip.Addr, every bool) bool {
	addr = plain(addr)
	switch {
	case e.every:
		return every || public(addr)
	case e.network.IsValid():
		all := addr.IsUnspecified() && e.network.IsSingleIP() && e.network.Addr().IsUnspecified() // of either family
		return all || e.network.Contains(addr)
	case e.name == localhost:
		return addr.IsLoopback()
	}
	return e.name == canonicalName(host) && public(addr)
}

const localhost = "localhost"

// local returns whether the entry reaches an address of localhost.
func (e endpoint) local() bool {
	return e.name == localhost || e.network.IsValid() && (e.network.Overlaps(netip.MustParsePrefix("127.0.0.0/8")) || e.network.Contains(netip.IPv6Loopback()))
}

// literal is the address in a host that is one. Without a host, package net takes all addresses of the
// machine.
func literal(host string) (addr netip.Addr, ok bool) {
	if host == "" {
		return netip.IPv6Unspecified(), true
	}
	addr, err := netip.ParseAddr(host)
	return addr, err == nil
}
