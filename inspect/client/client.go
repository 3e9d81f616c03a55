package client

import (
	"cmp"
	"net/http"
	"net/url"
	"time"
)

const (
	// DefaultTimeout is the Timeout of Options if that is 0. The inspector itself waits two seconds for its program.
	DefaultTimeout = 5 * time.Second
	// DefaultRetry is the Retry of Options if that is 0.
	DefaultRetry = 250 * time.Millisecond
)

// Options of a Client. The zero value is good for an inspector without a token.
type Options struct {
	// Token is what the inspector wants to be told. One in the address comes before it.
	Token string
	// Timeout is for how long a call waits for its answer.
	Timeout time.Duration
	// Retry is after how long Follow connects again at first; it doubles with each failure, up to forty times as much.
	Retry time.Duration
}

// Client asks one inspector. All methods are safe for concurrent use.
type Client struct {
	base    *url.URL
	options Options
	http    *http.Client
}

// New makes a Client for an address: HOST:PORT, http://HOST:PORT/, or the URL with ?token= that the program has
// printed. It connects to nothing yet. The error tells what is wrong with the address.
func New(address string, o Options) (*Client, error) {
	base, token, err := parse(address)
	if err != nil {
		return nil, err
	}
	o.Token = cmp.Or(token, o.Token)
	o.Timeout, o.Retry = cmp.Or(o.Timeout, DefaultTimeout), cmp.Or(o.Retry, DefaultRetry)
	return &Client{base: base, options: o, http: &http.Client{
		// Without a proxy of the environment: an inspector is asked by its own address.
		Transport: &http.Transport{MaxResponseHeaderBytes: 1 << 16, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute},
		// A redirection could lead to a server that the token is not for.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Host is the host and port of the inspector.
func (c *Client) Host() string { return c.base.Host }

// Close ends the connections that no call uses.
func (c *Client) Close() { c.http.CloseIdleConnections() }
