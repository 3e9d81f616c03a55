package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"

	"github.com/selvage-dev/selvage/inspect"
)

// maxAnswer is how many bytes an answer has at most. A page of 500 fibers has some 100 kB.
const maxAnswer = 16 << 20

// get asks for JSON below api/v1/.
func (c *Client) get(ctx context.Context, path string, query url.Values, into any) error {
	return c.call(ctx, http.MethodGet, path, query, into)
}

// call makes one request within the timeout.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, into any) error {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	answer, err := c.send(ctx, method, path, query, "application/json")
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	text, err := c.read(answer)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return c.stranger("what it answers is not the JSON of an inspector: " + err.Error())
	}
	return nil
}

// send makes a request and returns an answer of status 200 in the form that is wanted. The caller closes its body.
func (c *Client) send(ctx context.Context, method, path string, query url.Values, form string) (*http.Response, error) {
	u := c.base.JoinPath("api", "v1", path)
	u.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(ctx, method, u.String(), nil)
	if err != nil {
		return nil, err
	}
	if c.options.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.options.Token)
	}
	if method != http.MethodGet {
		r.Header.Set(inspect.ControlHeader, "1")
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, c.unreachable(err)
	}
	if err := c.judge(answer, form); err != nil {
		_ = answer.Body.Close()
		return nil, err
	}
	return answer, nil
}

// judge tells what is wrong with an answer before its body is read.
func (c *Client) judge(answer *http.Response, form string) error {
	is, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	switch {
	case answer.StatusCode == http.StatusOK && is == form:
		return nil
	case answer.StatusCode >= http.StatusBadRequest && is == "application/json":
		return c.refusal(answer)
	}
	return c.stranger(fmt.Sprintf("it answers %s with %q", answer.Status, is))
}

// refusal is the error that the inspector has sent.
func (c *Client) refusal(answer *http.Response) error {
	text, err := c.read(answer)
	if err != nil {
		return err
	}
	var f inspect.Failure
	if json.Unmarshal(text, &f) != nil || f.Error == "" {
		return c.stranger("it answers " + answer.Status)
	}
	return &Error{Host: c.Host(), Status: answer.StatusCode, Text: Printable(f.Error)}
}

// read reads the body of an answer within the bounds.
func (c *Client) read(answer *http.Response) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, c.unreachable(err)
	case len(text) > maxAnswer:
		return nil, c.tooLarge(answer.Request.URL.Path)
	}
	return bytes.TrimSpace(text), nil
}
