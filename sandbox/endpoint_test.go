package sandbox

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnEntryIsANameAnAddressANetworkOrAllWithAPort(t *testing.T) {
	for entry, want := range map[string]endpoint{
		"example.com:443":            {name: "example.com", port: 443},
		"EXAMPLE.com.:443":           {name: "example.com", port: 443},
		"under_score.example:*":      {name: "under_score.example", ports: true},
		"localhost:0":                {name: "localhost"},
		"*:80":                       {every: true, port: 80},
		"*:*":                        {every: true, ports: true},
		"10.1.2.3:80":                {network: netip.MustParsePrefix("10.1.2.3/32"), port: 80},
		"10.0.0.0/8:*":               {network: netip.MustParsePrefix("10.0.0.0/8"), ports: true},
		"[::1]:80":                   {network: netip.MustParsePrefix("::1/128"), port: 80},
		"[::ffff:10.1.2.3]:80":       {network: netip.MustParsePrefix("10.1.2.3/32"), port: 80},
		"[fd00::/8]:443":             {network: netip.MustParsePrefix("fd00::/8"), port: 443},
		"fd00::/8:443":               {network: netip.MustParsePrefix("fd00::/8"), port: 443},
		"xn--bcher-kva.example:8080": {name: "xn--bcher-kva.example", port: 8080},
	} {
		got, why := parseEndpoint(entry)
		assert.Empty(t, why, entry)
		assert.Equal(t, want, got, entry)
	}
}

func TestAnEntryWithoutMeaningIsAnErrorThatNamesTheEntryAndTheFix(t *testing.T) {
	for entry, fix := range map[string]string{
		"example.com":           "write example.com:443",
		"[::1]":                 "write [::1]:443",
		"":                      "has no port",
		":80":                   "has no host name",
		"example.com:":          "the port is no number",
		"example.com:http":      "write * for every port",
		"example.com:65536":     "from 0 to 65535",
		"example.com:-1":        "from 0 to 65535",
		"example.com:+80":       "from 0 to 65535",
		"*.example.com:80":      "write each name",
		"::1:80":                "in brackets",
		"[example.com]:80":      "brackets are for an IPv6 address",
		"[10.1.2.3]:80":         "brackets are for an IPv6 address",
		"[::1:80":               "brackets are for an IPv6 address",
		"[fe80::1%eth0]:80":     "without %eth0",
		"10.0.0.1/8:80":         "write 10.0.0.0/8",
		"10.0.0.0/33:80":        "is no network",
		"[::ffff:0:0/96]:80":    "in its IPv4 form",
		"bücher.example:80":     "xn--",
		"a..b:80":               "each part has 1 to 63 letters",
		"http://example.com:80": "is no network",
		"127.1:80":              "with four numbers",
		"2130706433:80":         "with four numbers",
		"0x7f000001:80":         "with four numbers",
		"127.0.0.1.:80":         "with four numbers",
		"a b:80":                "is no host name",
	} {
		_, err := Access{Dial: []string{"ok.example:80", entry}}.Network()
		var bad *EntryError
		if assert.ErrorAs(t, err, &bad, entry) {
			assert.Equal(t, "Dial", bad.Field)
			assert.Equal(t, entry, bad.Entry)
			assert.Contains(t, bad.Why, fix, entry)
		}
		_, err = Access{Listen: []string{entry}}.Network()
		require.ErrorAs(t, err, &bad, entry)
		assert.Equal(t, "Listen", bad.Field)
	}
}

// What the parser accepts has exactly one kind of host, and a name is never one that a resolver could
// take for an address.
func FuzzParsingAnEntryNeverPanicsAndGivesOneKindOfHost(f *testing.F) {
	for _, seed := range []string{"example.com:443", "[::1]:80", "10.0.0.0/8:*", "*:*", "[fd00::/8]:1", "127.1:80", "[", "]:", ":", "a%b:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, entry string) {
		e, why := parseEndpoint(entry)
		if why != "" {
			return
		}
		kinds := 0
		for _, is := range []bool{e.name != "", e.network.IsValid(), e.every} {
			if is {
				kinds++
			}
		}
		if kinds != 1 {
			t.Fatalf("%q has %d kinds of hosts: %+v", entry, kinds, e)
		}
		if e.name != "" {
			if _, err := netip.ParseAddr(e.name); err == nil || e.name != strings.ToLower(e.name) {
				t.Fatalf("%q: %q is no name", entry, e.name)
			}
		}
		if e.network != e.network.Masked() {
			t.Fatalf("%q: %v has bits after the prefix", entry, e.network)
		}
	})
}

func FuzzDecidingOnAnEndpointNeverPanicsOrAllowsWhatNoEntryNames(f *testing.F) {
	for _, seed := range []string{"example.com:443", "[::1]:80", "127.0.0.1:80", ":80", "[::ffff:127.0.0.1]:80", "a:b:c", "[fe80::1%eth0]:1"} {
		f.Add(seed, seed)
	}
	nothing, err := Access{}.Network()
	if err != nil {
		f.Fatal(err)
	}
	public, err := Access{Dial: []string{"*:*"}, Listen: []string{"127.0.0.1:80"}}.Network()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, asked, actual string) {
		for _, refused := range []error{
			nothing.Dial("tcp", asked), nothing.Dialed(asked, actual), nothing.Listen("tcp", asked), nothing.Listened(asked, actual), nothing.Resolve(asked),
		} {
			if !errors.As(refused, new(*AccessError)) {
				t.Fatalf("allowed %q at %q", asked, actual)
			}
		}
		at, err := netip.ParseAddrPort(actual)
		if public.Dialed(asked, actual) == nil && (err != nil || at.Addr().IsLoopback() || at.Addr().IsPrivate() || at.Addr().Unmap().IsLoopback()) {
			t.Fatalf("* reaches %q as %q", actual, asked)
		}
		if public.Listened(asked, actual) == nil && (err != nil || at.Addr().Unmap().String() != "127.0.0.1" || at.Port() != 80) {
			t.Fatalf("127.0.0.1:80 listens on %q as %q", actual, asked)
		}
	})
}
