package sandbox

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestAnAddressIsPublicOnlyIfItIsGlobalUnicast(t *testing.T) {
	for addr, want := range map[string]bool{
		"1.1.1.1": true, "8.8.8.8": true, "93.184.216.34": true, "100.63.255.255": true, "100.128.0.0": true, "172.15.0.1": true,
		"172.32.0.1": true, "192.0.1.1": true, "198.17.0.1": true, "223.255.255.255": true, "11.0.0.0": true,
		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "100.64.0.1": false, "100.100.100.200": false, "127.0.0.1": false,
		"127.255.255.254": false, "168.63.129.16": false, "169.254.169.254": false, "172.16.0.1": false, "172.31.255.255": false,
		"192.0.0.192": false, "192.0.2.1": false, "192.88.99.1": false, "192.168.1.1": false, "198.18.0.1": false, "198.51.100.1": false,
		"203.0.113.1": false, "224.0.0.1": false, "239.1.2.3": false, "240.0.0.1": false, "255.255.255.255": false,
		"2606:4700:4700::1111": true, "2001:4860:4860::8888": true, "2a00:1450::1": true, "3ffe::1": true,
		"::": false, "::1": false, "::7f00:1": false, "::8.8.8.8": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false,
		"fd00:ec2::254": false, "fec0::1": false, "ff02::1": false, "2001::1": false, "2001:db8::1": false, "2001:20::1": false,
		"3fff::1": false, "5f00::1": false, "4000::1": false, "100::1": false, "64:ff9b:1::8.8.8.8": false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:8.8.8.8": true,
		"64:ff9b::127.0.0.1": false, "64:ff9b::10.0.0.1": false, "64:ff9b::8.8.8.8": true,
		"2002:7f00:1::": false, "2002:a00:1::": false, "2002:808:808::1": true,
	} {
		assert.Equal(t, want, public(netip.MustParseAddr(addr)), addr)
	}
}

// Package net has its own idea of some of these addresses. Each that it names is not public.
func TestNoAddressThatPackageNetCallsSpecialIsPublic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "bytes")
		addr := netip.AddrFrom16([16]byte(bytes))
		if rapid.Bool().Draw(t, "4") {
			addr = netip.AddrFrom4([4]byte(bytes))
		}
		if addr.IsPrivate() || addr.IsLoopback() || addr.IsMulticast() || addr.IsLinkLocalUnicast() || addr.IsUnspecified() {
			assert.False(t, public(addr), addr)
		}
	})
}

// All forms of an IPv4 address in IPv6 are as public as the address.
func TestAnIPv4AddressInIPv6IsAsPublicAsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inner := netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, rapid.Uint32().Draw(t, "address"))))
		four := inner.As4()
		forms := map[string]netip.Addr{"mapped": netip.AddrFrom16(inner.As16())}
		nat := netip.MustParseAddr("64:ff9b::").As16()
		copy(nat[12:], four[:])
		forms["NAT64"] = netip.AddrFrom16(nat)
		tunnel := netip.MustParseAddr("2002::").As16()
		copy(tunnel[2:], four[:])
		forms["6to4"] = netip.AddrFrom16(tunnel)
		for form, addr := range forms {
			assert.Equal(t, public(inner), public(addr), form)
		}
	})
}
