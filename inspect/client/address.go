package client

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// wanted says which addresses there are.
const wanted = "want HOST:PORT, such as 127.0.0.1:8080, or the URL that selvage run --inspect has printed"

// parse reads an address: HOST:PORT, or a URL, which may have the token. Without a host it is that of loopback, as in
// inspect.Listen.
func parse(address string) (base *url.URL, token string, err error) {
	text := strings.TrimSpace(address)
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	base, err = url.Parse(text)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("%q is no address: %s", public(address), wanted)
	case base.Scheme != "http" && base.Scheme != "https":
		return nil, "", fmt.Errorf("%q is an address of %s: %s", public(address), base.Scheme, wanted)
	case base.User != nil:
		return nil, "", fmt.Errorf("the address of %q has a user: the inspector knows tokens only, as ?token=TEXT", base.Host)
	case base.Port() == "" && base.Scheme == "http" || !isPort(base.Port()):
		return nil, "", fmt.Errorf("%q has no port: %s", public(address), wanted)
	}
	if base.Hostname() == "" {
		base.Host = net.JoinHostPort("127.0.0.1", base.Port())
	}
	token = base.Query().Get("token")
	path := strings.TrimSuffix(base.Path, "/")
	return &url.URL{Scheme: base.Scheme, Host: base.Host, Path: path}, token, nil
}

// public is what an error may show of an address: no token, and no user.
func public(address string) string {
	for _, secret := range []string{"?", "#", "token="} {
		address, _, _ = strings.Cut(address, secret)
	}
	if at := strings.LastIndex(address, "@"); at >= 0 {
		address = "…" + address[at:]
	}
	return address
}

func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil
}
