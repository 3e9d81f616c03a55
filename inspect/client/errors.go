package client

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/selvage-dev/selvage/inspect"
)

// ErrNoInspector is that of a server which answers, but not as an inspector does.
var ErrNoInspector = errors.New("no inspector of Selvage")

// ErrTooLarge is that of an answer that has more bytes than a Client reads. It is not Final: the program may have less to
// tell later.
var ErrTooLarge = errors.New("too large")

// Error is a refusal by the inspector.
type Error struct {
	Host   string // of the inspector
	Status int    // of HTTP, from 400
	Text   string // why, by the inspector, as Printable
}

// Error tells what is wrong, and what to do.
func (e *Error) Error() string {
	switch {
	case e.Status == http.StatusUnauthorized:
		return fmt.Sprintf("the inspector at %s wants a token, or another one than was given: give the URL that the program has printed, with ?token=, or set SELVAGE_INSPECT_TOKEN", e.Host)
	case e.Status == http.StatusForbidden:
		return fmt.Sprintf("the inspector at %s does not allow it: %s", e.Host, e.Text)
	case e.Status == http.StatusServiceUnavailable:
		return fmt.Sprintf("the program at %s does not answer: %s", e.Host, e.Text)
	}
	return e.Text
}

// Final tells whether the same request can never succeed: it is refused, or there is no inspector at the address. Other
// errors can pass, such as that of a connection that is lost.
func Final(err error) bool {
	var e *Error
	if errors.As(err, &e) {
		return e.Status != http.StatusServiceUnavailable
	}
	return errors.Is(err, ErrNoInspector)
}

// unreachable is the error of a request without an answer.
func (c *Client) unreachable(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // the rest would show the whole address
	}
	var op *net.OpError
	if errors.As(err, &op) && !op.Timeout() {
		err = op.Err // the rest would repeat the host
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("the inspector at %s has not answered in %v: %w", c.Host(), c.options.Timeout, err)
	}
	return fmt.Errorf("cannot reach the inspector at %s: %w; is the program still running, with --inspect %s?", c.Host(), err, c.Host())
}

// stranger is the error of an answer that no inspector gives.
func (c *Client) stranger(why string) error {
	return fmt.Errorf("the server at %s is %w: %s; give the address that selvage run --inspect has printed", c.Host(), ErrNoInspector, Printable(why))
}

// tooLarge is the error of an answer to a path of api/v1 that is not read to its end.
func (c *Client) tooLarge(path string) error {
	instead := "ask for the list of fibers, part by part"
	_, path, _ = strings.Cut(path, "/api/v1/")
	switch {
	case path == "fibers":
		instead = "ask for fewer fibers, by a smaller limit or a search"
	case path == "graph":
		instead = "ask for fewer nodes, by a smaller limit or around one fiber"
	}
	return fmt.Errorf("the answer of the inspector at %s is %w: it has more than %d bytes; %s", c.Host(), ErrTooLarge, maxAnswer, instead)
}

// speaks refuses the answers of another version.
func (c *Client) speaks(version int) error {
	switch version {
	case inspect.Version:
		return nil
	case 0:
		return c.stranger("its answer has no version")
	}
	return fmt.Errorf("the server at %s is %w that this program knows: it has version %d of the JSON, and this is %d; use the selvage that runs the program",
		c.Host(), ErrNoInspector, version, inspect.Version)
}
