package client

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/inspect"
)

// silence is after how long without a byte a stream counts as lost. The inspector sends something every 15 seconds.
const silence = 45 * time.Second

var (
	errSilent = errors.New("it has been silent for too long")
	errCut    = errors.New("the connection has ended")
)

// Event is something that the inspector tells, or that happens to the connection.
type Event interface{ event() }

// The kinds of an Event.
type (
	// Summarized has a new summary. They come twice a second at most.
	Summarized struct{ Summary *inspect.Summary }
	// Unanswered says that the program does not answer the inspector, such as during a long native call.
	Unanswered struct{ Text string }
	// Ended says how the run has ended. The inspector may go on showing its last state.
	Ended struct{ inspect.Ending }
	// Lost says that there is no connection, and after how long Follow tries again.
	Lost struct {
		Err   error
		Retry time.Duration
	}
)

func (Summarized) event() {}
func (Unanswered) event() {}
func (Ended) event()      {}
func (Lost) event()       {}

// stream receives events of one connection until it ends. It returns nil if the inspector says that it was the last.
func (c *Client) stream(ctx context.Context, receive func(Event)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer watch.Stop()
	answer, err := c.send(ctx, "GET", "events", nil, "text/event-stream")
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // nothing was written
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, maxAnswer)
	name := ""
	for lines.Scan() {
		watch.Reset(silence)
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case field == "event":
			name = value
		case field == "data" && name == "end":
			return nil
		case field == "data":
			if err := c.receive(name, value, receive); err != nil {
				return err
			}
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return c.tooLarge(answer.Request.URL.Path)
	}
	return c.unreachable(cmp.Or(context.Cause(ctx), lines.Err(), errCut))
}

// receive decodes one event. Those of other names are of a later inspector.
func (c *Client) receive(name, text string, receive func(Event)) (err error) {
	switch name {
	case "summary":
		s := new(inspect.Summary)
		if err = json.Unmarshal([]byte(text), s); err == nil {
			if err := c.speaks(s.Version); err != nil {
				return err
			}
			receive(Summarized{s})
		}
	case "verdict":
		var e Ended
		if err = json.Unmarshal([]byte(text), &e.Ending); err == nil {
			receive(e)
		}
	case "unanswered":
		var f inspect.Failure
		if err = json.Unmarshal([]byte(text), &f); err == nil {
			receive(Unanswered{Printable(f.Error)})
		}
	}
	if err != nil {
		return c.stranger("the event " + name + " is not the JSON of an inspector: " + err.Error())
	}
	return nil
}
