package fiberio

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
)

// Limits of the HTTP client.
const (
	maxHeaderBytes = 1 << 20 // bytes of all header lines of a message, of both sides
	maxIdleConns   = 100     // idle connections kept for one host
	idleTimeout    = 90 * time.Second
)

// Response is an HTTP response with its whole body.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// transport makes the client's transport. It dials through the World, so that Close can end dials
// and close connections that net/http keeps.
func (w *World) transport() *http.Transport {
	var proxy func(*http.Request) (*url.URL, error)
	if w.access.Unrestricted() {
		proxy = http.ProxyFromEnvironment // a proxy connects to what it is asked for, and not to the address that was checked
	}
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            w.dialForClient,
		TLSClientConfig:        w.tlsConfig.Clone(),
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    maxIdleConns,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
	}
}

// Fetch sends an HTTP request and waits for the whole response, with any status; redirects are
// followed. Connections are kept for the next request. Errors: *url.Error, which names the
// URL, and *TooLargeError.
func (w *World) Fetch(f *stackful.Fiber, r *http.Request, deadline fiber.Time) (*Response, error) {
	v, err := w.wait(f, doing{"fetch", r.URL.Redacted()}, deadline, func(ctx context.Context) (any, error) { return w.fetch(r.WithContext(ctx)) }, nil)
	answer, _ := v.(*Response)
	return answer, err
}

// fetch is Fetch on a worker.
func (w *World) fetch(r *http.Request) (*Response, error) {
	answer, err := w.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := readAll(bodyReader{answer.Body, r.URL}, r.URL.String(), w.limit)
	if err != nil {
		return nil, err
	}
	return &Response{Status: answer.StatusCode, Header: answer.Header, Body: body}, nil
}

// bodyReader adds the URL to the errors of reading a body, as net/http does before the body.
type bodyReader struct {
	body io.Reader
	by   *url.URL
}

func (s bodyReader) Read(p []byte) (int, error) {
	n, err := s.body.Read(p)
	if err != nil && err != io.EOF {
		err = &url.Error{Op: "Read", URL: s.by.Redacted(), Err: err}
	}
	return n, err
}
