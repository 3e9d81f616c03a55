//go:build unix && !race

package escape_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	luafibers "github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/sandbox"
)

// server is a DNS server for one name: its addresses for each query, in order; the last ones stay.
type server struct {
	answers [][]string
	turn    chan int // how many queries it has answered; its user takes it
}

func newServer(answers ...[]string) *server {
	s := &server{answers: answers, turn: make(chan int, 1)}
	s.turn <- 0
	return s
}

// resolver asks the server, in this process.
func (s *server) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, StrictErrors: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, end := net.Pipe()
		go serveQueries(end, s.answer) // until the resolver closes its end
		return client, nil
	}}
}

// serveQueries answers queries, each behind its length in two bytes.
func serveQueries(c net.Conn, answer func(query []byte) []byte) {
	defer func() { _ = c.Close() }()
	for {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, query); err != nil {
			return
		}
		reply := answer(query)
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

// kindA is a query for IPv4 addresses; others are for IPv6 addresses.
const kindA = 1

// answer makes a reply with the addresses of the kind that is asked for.
func (s *server) answer(query []byte) []byte {
	const header = 12
	at := header
	for query[at] != 0 {
		at += 1 + int(query[at])
	}
	question := query[header : at+5] // the name, its end, the kind and the class
	kind := int(question[len(question)-3])
	reply := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question...)
	turn := <-s.turn
	for _, text := range s.answers[min(turn/2, len(s.answers)-1)] { // a lookup is two queries
		bytes := netip.MustParseAddr(text).AsSlice()
		if (kind == kindA) == (len(bytes) == 4) {
			reply[7]++
			reply = append(reply, 0xc0, header, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(bytes)))
			reply = append(reply, bytes...)
		}
	}
	s.turn <- turn + 1
	return reply
}

// What a name may lead to: addresses of this machine and of its network, in each form, and a public one
// first.
var leads = map[string][][]string{
	"the loopback":                     {{"127.0.0.1"}},
	"the loopback of IPv6":             {{"::1"}},
	"an IPv4 address in IPv6":          {{"::ffff:127.0.0.1"}},
	"all addresses":                    {{"0.0.0.0"}, {"::"}},
	"a private address":                {{"10.0.0.1", "192.168.0.1", "fd00::1"}},
	"the address of secrets":           {{"169.254.169.254", "fe80::1"}},
	"a public address and a local one": {{"192.0.2.1", "127.0.0.1", "::1"}},
	"another address each time":        {{"93.184.216.34"}, {"127.0.0.1"}, {"::1"}, {"127.0.0.1"}},
}

func TestANameThatLeadsToALocalAddressIsRefused(t *testing.T) {
	for name, answers := range leads {
		t.Run(name, func(t *testing.T) {
			f := newFence(t)
			before := f.beyond(t)
			redirect := f.redirects(t)
			for _, entry := range []string{"rebound.example:*", "*:*", "rebound.example:" + f.port()} {
				access := f.narrow()
				access.Dial = []string{entry, "127.0.0.1:" + redirect}
				text := `print(net.lookup("rebound.example"))` + "\n"
				for _, op := range connections("rebound.example") {
					text += strings.ReplaceAll(f.with(op), "REDIRECT", redirect) + "\n"
				}
				s := newServer(answers...)
				f.holds(t, before, inLuaWith(t, luafibers.Config{Access: access, Resolver: s.resolver()}, text))
				require.NotZero(t, <-s.turn, "queries")
			}
		})
	}
}

// The same name leads to the server if its address is allowed.
func TestANameThatLeadsToAnAllowedAddressIsDialed(t *testing.T) {
	f := newFence(t)
	s := newServer([]string{"127.0.0.1"})
	access := sandbox.Access{Dial: []string{"rebound.example:*", "127.0.0.1:" + f.port()}}
	out := inLuaWith(t, luafibers.Config{Access: access, Resolver: s.resolver()}, f.with(`show(http.get, "http://rebound.example:PORT/")`))
	require.NotEmpty(t, f.visits, out)
}
