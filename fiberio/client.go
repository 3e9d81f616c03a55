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

// Limits of HTTP, of both sides.
const (
	mostHeader   = 1 << 20          // bytes of all header lines of a message
	headerWithin = 10 * time.Second // how long a client may take to send its header
	keptIdle     = 100              // connections to one host that wait for the next request
	idleFor      = 90 * time.Second
)

// Response is what a server answered, with all of its body.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

func (w *World) transport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            w.dialForClient,
		TLSClientConfig:        w.trust.Clone(),
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    keptIdle,
		IdleConnTimeout:        idleFor,
		MaxResponseHeaderBytes: mostHeader,
	}
}

// Fetch sends an HTTP request and waits for the whole answer, whatever its status;
// redirections are followed. Connections are kept for the next request. Errors: *url.Error,
// which names the URL, *TooLargeError.
func (w *World) Fetch(f *stackful.Fiber, r *http.Request, deadline fiber.Time) (*Response, error) {
	v, err := w.wait(f, deadline, func(ctx context.Context) (any, error) { return w.fetch(r.WithContext(ctx)) }, nil)
	answer, _ := v.(*Response)
	return answer, err
}

func (w *World) fetch(r *http.Request) (*Response, error) {
	answer, err := w.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := readAll(sent{answer.Body, r.URL}, r.URL.String(), w.most)
	if err != nil {
		return nil, err
	}
	return &Response{Status: answer.StatusCode, Header: answer.Header, Body: body}, nil
}

// sent is a body whose errors, like those before it, say where it is from.
type sent struct {
	body io.Reader
	by   *url.URL
}

func (s sent) Read(p []byte) (int, error) {
	n, err := s.body.Read(p)
	if err != nil && err != io.EOF {
		err = &url.Error{Op: "Read", URL: s.by.Redacted(), Err: err}
	}
	return n, err
}
