package program

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestTheStatusTellsHowAProgramEnded(t *testing.T) {
	for name, story := range map[string]struct {
		args     []string
		fails    error
		status   int
		out, err string
	}{
		"done":        {status: 0, out: "12"},
		"failed":      {fails: errors.New("no ink"), status: 1, out: "12", err: "no ink\n"},
		"an argument": {args: []string{"nonsense", "more"}, status: 2, err: "counter: unexpected argument \"nonsense\"\nUsage: go run ./examples/actor/counter\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, err strings.Builder
			got := status("counter", story.args, &out, &err, func(to io.Writer) error {
				fmt.Fprint(to, "12")
				return story.fails
			})
			if got != story.status || out.String() != story.out || err.String() != story.err {
				t.Errorf("status %d, stdout %q, stderr %q", got, out.String(), err.String())
			}
		})
	}
}
