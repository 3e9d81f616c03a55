package sandbox

import "net/netip"

// special4 and special6 are the networks that are not public: those that the registries of
// special-purpose addresses (RFC 6890 and its successors) do not list as globally reachable, multicast
// addresses, and the address at which Azure serves the secrets of a virtual machine.
func special4() []string {
	return []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"224.0.0.0/4", "240.0.0.0/4",
	}
}

func special6() []string { return []string{"2001::/23", "2001:db8::/32", "3fff::/20"} }

// public returns whether an address is reached by way of the public Internet. In IPv6 that is global
// unicast, 2000::/3. An address that leads to an IPv4 address through a translator (NAT64) or a tunnel
// (6to4) is as public as that one.
func public(addr netip.Addr) bool {
	addr = plain(addr)
	if addr.Is4() {
		return !within(addr, special4())
	}
	bytes := addr.As16()
	switch {
	case within(addr, []string{"64:ff9b::/96"}):
		return public(netip.AddrFrom4([4]byte(bytes[12:])))
	case within(addr, []string{"2002::/16"}):
		return public(netip.AddrFrom4([4]byte(bytes[2:])))
	}
	return within(addr, []string{"2000::/3"}) && !within(addr, special6())
}

// plain is the form in which addresses are compared: an IPv4 address in IPv6 is that IPv4 address, and
// no address has a zone.
func plain(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

func within(addr netip.Addr, networks []string) bool {
	for _, network := range networks {
		if netip.MustParsePrefix(network).Contains(addr) {
			return true
		}
	}
	return false
}
