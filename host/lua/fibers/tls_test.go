package fibers

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pemPair is a certificate for this machine, and its key.
func pemPair(t *testing.T) (cert, key string) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		DNSNames: []string{"example.test"}, IsCA: true, BasicConstraintsValid: true,
	}
	public, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	block := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return block("CERTIFICATE", public), block("PRIVATE KEY", secret)
}

func TestProgramsTalkInTLS(t *testing.T) {
	cert, key := pemPair(t)
	for _, budget := range budgets() {
		t.Run(fmt.Sprint("slice ", budget), func(t *testing.T) {
			cfg := real(budget)
			s := set(t, cfg)
			s.State().Base().SetGlobal("cert", lstring(cert))
			s.State().Base().SetGlobal("key", lstring(key))
			s.play(`
				local l = net.listen("127.0.0.1:0")
				fiber.spawn(function()
					for c in l:iter() do
						fiber.spawn(function()
							c:accept_tls{ cert = cert, key = key, timeout = 60 }
							for line in c:lines() do c:write(line:upper() .. "\n") end
							c:close()
						end):name("server")
					end
				end)
				local c = net.dial(l:addr(), { timeout = 60, tls = { ca = cert, name = "example.test" } })
				c:write("secret\n")
				print(c:read("*l"))
				c:close_write()
				print(c:read())
				c:close()
				local s = http.serve("127.0.0.1:0", function(r) return "over tls" end, { tls = { cert = cert, key = key } })
				local _, e = pcall(http.get, "https://" .. s:addr())
				print((e:gsub("%d+%.%d+%.%d+%.%d+:%d+", "ADDR")))
				local c = net.dial(s:addr(), { tls = { ca = cert } })
				c:write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
				print(c:read("*l"), c:read("*a"):match("over tls$"))
				s:close() l:close()
				print(pcall(http.serve, "127.0.0.1:0", print, { tls = { cert = "x" } }))
				print(pcall(net.dial, s:addr(), { tls = { ca = "x" } }))
				print(pcall(net.dial, s:addr(), { tls = "x" }))`)
			require.Equal(t, "SECRET\nnil\n"+
				"p.lua:19: Get \"https://ADDR\": tls: failed to verify certificate: x509: certificate signed by unknown authority\n"+
				"HTTP/1.1 200 OK\r\tover tls\n"+
				"false\tp.lua:25: bad argument #3 to (anonymous) (want { cert =, key = }, both as PEM: tls: failed to find any PEM data in certificate input)\n"+
				"false\tp.lua:26: bad argument #2 to (anonymous) (ca: no certificate in PEM)\n"+
				"false\tp.lua:27: bad argument #2 to (anonymous) (tls: table expected, got string)\n", s.printed())
		})
	}
}
