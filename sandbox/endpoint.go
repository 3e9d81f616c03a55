package sandbox

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// EntryError says that an entry of Access.Dial, Listen, Programs or Dirs has no meaning.
type EntryError struct {
	Field string // of Access
	Entry string
	Why   string // what is wrong, and what to write instead
}

// Error names the entry and the fix.
func (e *EntryError) Error() string {
	return fmt.Sprintf("sandbox: Access.%s: %q: %s", e.Field, e.Entry, e.Why)
}

// endpoint is one entry of Dial or Listen. Exactly one of name, network and every is set.
type endpoint struct {
	name    string       // in lower case, without a dot at the end
	network netip.Prefix // of one address, if the entry is an address
	every   bool         // the host is *
	port    uint16
	ports   bool // the port is *
}

// parseEndpoint parses HOST:PORT; the error says what is wrong.
func parseEndpoint(entry string) (e endpoint, why string) {
	colon := strings.LastIndexByte(entry, ':')
	if colon < 0 || strings.HasSuffix(entry, "]") {
		return e, "has no port; write " + entry + ":443, or " + entry + ":* for every port"
	}
	host, port := entry[:colon], entry[colon+1:]
	if port == "*" {
		e.ports = true
	} else if n, err := strconv.ParseUint(port, 10, 16); err == nil && port[0] != '+' {
		e.port = uint16(n)
	} else {
		return e, "the port is no number from 0 to 65535; write * for every port"
	}
	return e, e.parseHost(host)
}

func (e *endpoint) parseHost(host string) (why string) {
	inner, bracketed := strings.CutPrefix(host, "[")
	if bracketed {
		var closed bool
		if inner, closed = strings.CutSuffix(inner, "]"); !closed || !strings.Contains(inner, ":") {
			return "brackets are for an IPv6 address, such as [::1]:80"
		}
	}
	switch {
	case host == "*":
		e.every = true
		return ""
	case strings.Contains(host, "*"):
		return "* stands for all hosts, and cannot be a part of a name; write each name"
	case strings.Contains(inner, "/"):
		return e.parseNetwork(inner)
	case strings.Contains(inner, ":") && !bracketed:
		return "write an IPv6 address in brackets, such as [::1]:80"
	}
	if addr, err := netip.ParseAddr(inner); err == nil {
		if addr.Zone() != "" {
			return "an address has no zone here; write it without " + "%" + addr.Zone()
		}
		addr = addr.Unmap()
		e.network = netip.PrefixFrom(addr, addr.BitLen())
		return ""
	}
	if bracketed {
		return "brackets are for an IPv6 address, such as [::1]:80"
	}
	return e.parseName(host)
}

func (e *endpoint) parseNetwork(text string) (why string) {
	network, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		return "is no network; write one such as 10.0.0.0/8:* or [fd00::/8]:*"
	case network.Addr().Is4In6():
		return "write the network in its IPv4 form, such as 10.0.0.0/8:*"
	case network != network.Masked():
		return "has address bits after the prefix; write " + network.Masked().String()
	}
	e.network = network
	return ""
}

// parseName accepts the names of hosts. It refuses what some resolvers take for an address, such as
// 127.1 and 0x7f000001.
func (e *endpoint) parseName(host string) (why string) {
	e.name = canonicalName(host)
	labels := strings.Split(e.name, ".")
	if e.name == "" || len(e.name) > 253 {
		return "has no host name of 1 to 253 bytes; write a name, an address, a network or *"
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "is no host name: each part has 1 to 63 letters, digits, - and _; write other letters in the form xn--…"
		}
	}
	last := labels[len(labels)-1]
	if strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return "is neither a name nor an IP address; write the address with four numbers, such as 127.0.0.1"
	}
	return ""
}

// canonicalName is a name of a host in the form in which names are compared.
func canonicalName(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }
