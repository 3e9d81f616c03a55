package client_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

const token = "0123456789abcdef"

func TestAnInspectorIsFoundByEachFormOfItsAddress(t *testing.T) {
	open := serve(t, inspect.Config{})
	u, err := url.Parse(open.url)
	require.NoError(t, err)
	for _, address := range []string{u.Host, "localhost:" + u.Port(), ":" + u.Port(), open.url, strings.TrimSuffix(open.url, "/"), " " + open.url + "\n"} {
		_, err := dial(t, address, client.Options{}).Summary(t.Context())
		require.NoError(t, err, address)
	}
}

func TestATokenIsGivenInTheAddressOrByOption(t *testing.T) {
	closed := serve(t, inspect.Config{Token: token})
	host, _, _ := strings.Cut(closed.url, "?")
	for _, test := range []struct{ address, option string }{{closed.url, ""}, {host, token}, {closed.url, "another one"}} {
		_, err := dial(t, test.address, client.Options{Token: test.option}).Summary(t.Context())
		require.NoError(t, err)
	}
	for _, test := range []struct{ address, option string }{{host, ""}, {host, "wrong"}, {host + "?token=wrong", token}} {
		_, err := dial(t, test.address, client.Options{Token: test.option}).Summary(t.Context())
		require.ErrorContains(t, err, "wants a token, or another one than was given: give the URL that the program has printed")
		require.NotContains(t, err.Error(), token)
		require.True(t, client.Final(err))
	}
}

func TestAWrongAddressIsToldWithoutItsToken(t *testing.T) {
	for address, want := range map[string]string{
		"localhost?token=" + token:             `"localhost" has no port`,
		"http://h/?x=1&token=" + token:         `"http://h/" has no port`,
		"ftp://h:1/?token=" + token:            `"ftp://h:1/" is an address of ftp`,
		"h:http?token=" + token:                `"h:http" is no address`,
		"h:http%3Ftoken=" + token:              `"h:http%3F" is no address`,
		"localhost#token=" + token:             `"localhost" has no port`,
		"http://a:" + token + "@h:1/":          `the address of "h:1" has a user`,
		"http://a:" + token + "@h:x/?token=1":  `"…@h:x/" is no address`,
		"http://a:b@h:1/?token=" + token + "%": `the address of "h:1" has a user`,
	} {
		_, err := client.New(address, client.Options{})
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), token)
	}
}

func TestAWrongAddressSaysWhichIsRight(t *testing.T) {
	for address, want := range map[string]string{
		"": "has no port", "localhost": `"localhost" has no port: want HOST:PORT, such as 127.0.0.1:8080`, "8080": "has no port",
		"h:http": "is no address", "h:99999": "has no port", "ftp://h:1/": "is an address of ftp", "http://a:b@h:1": "knows tokens only",
		"[::1": "is no address", "a b:1": "is no address", "\x00:1": "is no address",
	} {
		_, err := client.New(address, client.Options{})
		require.ErrorContains(t, err, want, "%q", address)
	}
}
