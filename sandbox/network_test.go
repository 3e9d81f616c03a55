package sandbox

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func networkOf(t *testing.T, a Access) *Network {
	t.Helper()
	n, err := a.Network()
	require.NoError(t, err)
	return n
}

func TestAConnectionIsAllowedByTheAddressThatIsDialed(t *testing.T) {
	for _, c := range []struct {
		entry, asked, at string
		before, after    bool
	}{
		{"example.com:443", "example.com:443", "93.184.216.34:443", true, true},
		{"example.com:443", "EXAMPLE.COM.:443", "[2606:2800::1]:443", true, true},
		{"example.com:443", "example.com:80", "93.184.216.34:80", false, false},
		{"example.com:443", "example.com:443", "93.184.216.34:80", true, false},
		{"example.com:443", "other.com:443", "93.184.216.34:443", false, false},
		{"example.com:443", "sub.example.com:443", "93.184.216.34:443", false, false},
		{"example.com:443", "93.184.216.34:443", "93.184.216.34:443", false, false},
		{"example.com:*", "example.com:1", "93.184.216.34:1", true, true},
		{"example.com:443", "example.com:443", "127.0.0.1:443", true, false},
		{"example.com:443", "example.com:443", "[::1]:443", true, false},
		{"example.com:443", "example.com:443", "[::ffff:127.0.0.1]:443", true, false},
		{"example.com:443", "example.com:443", "[64:ff9b::7f00:1]:443", true, false},
		{"example.com:443", "example.com:443", "[2002:7f00:1::]:443", true, false},
		{"example.com:443", "example.com:443", "[fe80::1%eth0]:443", true, false},
		{"example.com:443", "example.com:443", "169.254.169.254:443", true, false},
		{"example.com:443", "example.com:443", "0.0.0.0:443", true, false},
		{"example.com:443", "example.com:443", ":443", true, false},
		{"example.com:443", "example.com:443", "no address", true, false},
		{"*:443", "any.example:443", "1.1.1.1:443", true, true},
		{"*:443", "any.example:443", "10.0.0.1:443", true, false},
		{"*:443", "1.1.1.1:443", "1.1.1.1:443", true, true},
		{"*:443", "127.0.0.1:443", "127.0.0.1:443", false, false},
		{"*:443", "localhost:443", "127.0.0.1:443", true, false},
		{"*:*", "[::1]:80", "[::1]:80", false, false},
		{"*:*", "[fe80::1%eth0]:80", "[fe80::1%eth0]:80", false, false},
		{"*:*", ":80", "[::]:80", false, false},
		{"localhost:80", "localhost:80", "127.0.0.1:80", true, true},
		{"localhost:80", "localhost:80", "[::1]:80", true, true},
		{"localhost:80", "127.0.0.1:80", "127.0.0.1:80", true, true},
		{"localhost:80", "localhost:80", "10.0.0.1:80", true, false},
		{"localhost:80", "localhost:80", "1.1.1.1:80", true, false},
		{"localhost:80", "localhost.example:80", "127.0.0.1:80", false, true},
		{"127.0.0.1:80", "127.0.0.1:80", "127.0.0.1:80", true, true},
		{"127.0.0.1:80", "[::ffff:127.0.0.1]:80", "127.0.0.1:80", true, true},
		{"127.0.0.1:80", "localhost:80", "127.0.0.1:80", true, true},
		{"127.0.0.1:80", "localhost:80", "[::1]:80", true, false},
		{"127.0.0.1:80", "127.0.0.2:80", "127.0.0.2:80", false, false},
		{"127.0.0.1:80", "name.example:80", "127.0.0.1:80", false, true},
		{"10.0.0.0/8:*", "10.20.30.40:5", "10.20.30.40:5", true, true},
		{"10.0.0.0/8:*", "11.0.0.0:5", "11.0.0.0:5", false, false},
		{"[fd00::/8]:*", "[fd12::1]:5", "[fd12::1]:5", true, true},
		{"[fd00::/8]:*", "[fc12::1]:5", "[fc12::1]:5", false, false},
		{"[fe80::/10]:*", "[fe80::1%lo]:5", "[fe80::1%lo]:5", true, true},
		{"[::]:80", ":80", "[::]:80", true, true},
	} {
		n := networkOf(t, Access{Dial: []string{"unrelated.example:1", c.entry}, Listen: []string{"*:*"}})
		what := c.entry + " for " + c.asked + " at " + c.at
		assertAllowed(t, c.before, n.Dial("tcp", c.asked), "connect", what)
		assertAllowed(t, c.after, n.Dialed(c.asked, c.at), "connect", what)
	}
}

func assertAllowed(t *testing.T, want bool, err error, op, what string) {
	t.Helper()
	if want {
		assert.NoError(t, err, what)
		return
	}
	var refused *AccessError
	if assert.ErrorAs(t, err, &refused, what) {
		assert.Equal(t, op, refused.Op)
		assert.ErrorIs(t, err, fs.ErrPermission)
	}
}

func TestListeningIsAllowedByTheAddressThatIsListenedOn(t *testing.T) {
	for _, c := range []struct {
		entry, asked, at string
		before, after    bool
	}{
		{"127.0.0.1:80", "127.0.0.1:80", "127.0.0.1:80", true, true},
		{"127.0.0.1:80", "127.0.0.1:81", "127.0.0.1:81", false, false},
		{"127.0.0.1:*", "127.0.0.1:0", "127.0.0.1:0", true, true},
		{"127.0.0.1:80", "0.0.0.0:80", "0.0.0.0:80", false, false},
		{"127.0.0.1:80", ":80", ":80", false, false},
		{"127.0.0.1:80", ":80", "[::]:80", false, false},
		{"localhost:80", "localhost:80", "127.0.0.1:80", true, true},
		{"localhost:80", ":80", ":80", false, false},
		{"0.0.0.0:80", ":80", "[::]:80", true, true},
		{"0.0.0.0:80", "192.168.1.1:80", "192.168.1.1:80", false, false},
		{"0.0.0.0/0:80", "192.168.1.1:80", "192.168.1.1:80", true, true},
		{"[::]:80", "0.0.0.0:80", "0.0.0.0:80", true, true},
		{"*:80", ":80", "[::]:80", true, true},
		{"*:80", "127.0.0.1:80", "127.0.0.1:80", true, true},
		{"*:80", ":81", "[::]:81", false, false},
	} {
		n := networkOf(t, Access{Listen: []string{c.entry}, Dial: []string{"*:*", "0.0.0.0/0:*", "[::/0]:*"}})
		what := c.entry + " for " + c.asked + " at " + c.at
		assertAllowed(t, c.before, n.Listen("tcp", c.asked), "listen", what)
		assertAllowed(t, c.after, n.Listened(c.asked, c.at), "listen", what)
	}
}

func TestOnlyTCPIsAllowed(t *testing.T) {
	n := networkOf(t, Access{Dial: []string{"*:*", "0.0.0.0/0:*"}, Listen: []string{"*:*"}})
	for _, network := range []string{"udp", "udp4", "unix", "unixgram", "unixpacket", "ip", "ip4:icmp", ""} {
		for _, address := range []string{"1.1.1.1:53", "/run/docker.sock", "127.0.0.1:53"} {
			assertAllowed(t, false, n.Dial(network, address), "connect", network)
			assertAllowed(t, false, n.Listen(network, address), "listen", network)
		}
	}
	for _, network := range []string{"tcp", "tcp4", "tcp6"} {
		assert.NoError(t, n.Dial(network, "1.1.1.1:53"))
	}
}

func TestANameIsResolvedOnlyIfAnEntryMayReachIt(t *testing.T) {
	for _, c := range []struct {
		access Access
		host   string
		want   bool
	}{
		{Access{}, "example.com", false},
		{Access{}, "localhost", false},
		{Access{}, "127.0.0.1", false},
		{Access{Dial: []string{"example.com:1"}}, "Example.com.", true},
		{Access{Dial: []string{"example.com:1"}}, "secret.example.com", false},
		{Access{Dial: []string{"10.0.0.0/8:*"}}, "example.com", false},
		{Access{Dial: []string{"10.0.0.0/8:*"}}, "10.1.2.3", true},
		{Access{Dial: []string{"*:80"}}, "example.com", true},
		{Access{Listen: []string{"localhost:80"}}, "localhost", true},
		{Access{Dial: []string{"[::1]:80"}}, "localhost", true},
		{Process(), "example.com", true},
	} {
		assertAllowed(t, c.want, networkOf(t, c.access).Resolve(c.host), "resolve", c.host)
	}
}

func TestTheProcessReachesEverything(t *testing.T) {
	n := networkOf(t, Process())
	assert.NoError(t, n.Dial("unix", "/run/any.sock"))
	assert.NoError(t, n.Dialed("localhost:http", "127.0.0.1:80"))
	assert.NoError(t, n.Listen("udp", ":0"))
	assert.NoError(t, n.Listened(":0", "[::]:0"))
}

func TestARefusalNamesTheAddressAndTheFieldThatAllowsIt(t *testing.T) {
	n := networkOf(t, Access{Dial: []string{"example.com:443"}})
	assert.EqualError(t, n.Dialed("example.com:443", "127.0.0.1:443"),
		"connect example.com:443: not allowed in this sandbox (its address is 127.0.0.1:443, which is not public and needs an entry of its own); Access.Dial allows it")
	assert.EqualError(t, n.Dial("unix", "/s"), "connect unix /s: not allowed in this sandbox (the network of a sandbox is tcp only); only sandbox.Process allows it")
	assert.EqualError(t, n.Listen("tcp", ":80"), "listen :80: not allowed in this sandbox; Access.Listen allows it")
}

func TestCheckFindsEntriesWithoutAMeaning(t *testing.T) {
	assert.NoError(t, Access{}.Check())
	assert.NoError(t, Process().Check())
	process := Process()
	process.Dial = []string{"x"}
	assert.NoError(t, process.Check(), "an entry without an effect")
	process.Dirs = []Dir{{}}
	assert.ErrorAs(t, process.Check(), new(*EntryError), "WebAssembly programs have directories only by name")
	assert.ErrorAs(t, Access{Dial: []string{"x"}}.Check(), new(*EntryError))
	assert.ErrorAs(t, Access{Listen: []string{"x"}}.Check(), new(*EntryError))
	assert.ErrorAs(t, Access{Dirs: []Dir{{}}}.Check(), new(*EntryError))
}
