package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/inspect"
)

// Query chooses a part of the list of fibers. The zero value is the first 100 in the order of their slots.
type Query struct {
	Search     string // in the ID, name or site; upper and lower case are the same
	State      string // runnable, running or blocked; empty for all
	Reason     string // queue, timer or io; empty for all
	Sort       string // a column: id, name, state, reason, waits, deadline or site
	Descending bool
	Offset     int // of the first fiber among those that match
	Limit      int // how many, inspect.MaxList at most; 0 for the inspector's own choice
}

// values is the query in the form of HTTP.
func (q Query) values() url.Values {
	v := url.Values{}
	set := func(name, text string) {
		if text != "" {
			v.Set(name, text)
		}
	}
	set("search", q.Search)
	set("state", q.State)
	set("reason", q.Reason)
	switch {
	case q.Descending && q.Sort == "":
		v.Set("sort", "-id")
	case q.Descending:
		v.Set("sort", "-"+q.Sort)
	default:
		set("sort", q.Sort)
	}
	if q.Offset > 0 {
		v.Set("offset", strconv.Itoa(q.Offset))
	}
	if q.Limit > 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	return v
}

// Summary is the state of the whole program, half a second old at most.
func (c *Client) Summary(ctx context.Context) (*inspect.Summary, error) {
	s := new(inspect.Summary)
	if err := c.get(ctx, "summary", nil, s); err != nil {
		return nil, err
	}
	return s, c.speaks(s.Version)
}

// Fibers is a part of the list of fibers.
func (c *Client) Fibers(ctx context.Context, q Query) (*inspect.List, error) {
	l := new(inspect.List)
	return l, c.get(ctx, "fibers", q.values(), l)
}

// Fiber is everything about one fiber. One that has ended is "dead".
func (c *Client) Fiber(ctx context.Context, id string) (*inspect.Detail, error) {
	known, err := fiber.ParseID(id)
	if err != nil {
		return nil, err
	}
	d := new(inspect.Detail)
	return d, c.get(ctx, "fibers/"+known.String(), nil, d)
}

// Graph is the wait-for graph of up to limit fibers and objects, the cycle of a deadlock first; or what is connected to
// one fiber, if around is its ID. Limit 0 is the inspector's own choice.
func (c *Client) Graph(ctx context.Context, around string, limit int) (*inspect.Graph, error) {
	v := url.Values{}
	if around != "" {
		v.Set("around", around)
	}
	if limit > 0 {
		v.Set("limit", strconv.Itoa(limit))
	}
	g := new(inspect.Graph)
	return g, c.get(ctx, "graph", v, g)
}

// Islands are the islands of the program and the ports between them, without the Report of each. A program that has made
// no island has no parts.
func (c *Client) Islands(ctx context.Context) (*inspect.SetReport, error) {
	s := new(inspect.SetReport)
	if err := c.get(ctx, "islands", nil, s); err != nil {
		return nil, err
	}
	return s, c.speaks(s.Version)
}

// Action is what can be done to a fiber, if the inspector allows it (Summary.Control).
type Action string

// The actions.
const (
	Cancel Action = "cancel"
	Kill   Action = "kill"
	Pause  Action = "pause"
	Resume Action = "resume"
)

// Control does something to a fiber. An *Error tells that the fiber is gone (404), that it cannot be done to it (409), or that
// the inspector changes nothing (403).
func (c *Client) Control(ctx context.Context, id string, a Action) error {
	known, err := fiber.ParseID(id)
	if err != nil {
		return err
	}
	return c.call(ctx, http.MethodPost, "fibers/"+known.String()+"/"+string(a), nil, new(inspect.Changed))
}
