package top

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

// Once writes one frame as plain text: the summary, and the first fibers up to a limit, with texts in full.
func Once(ctx context.Context, c *client.Client, limit int, out io.Writer) error {
	s, err := c.Summary(ctx)
	if err != nil {
		return err
	}
	l := &inspect.List{}
	if limit > 0 {
		if l, err = c.Fibers(ctx, client.Query{Limit: limit}); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s: %s\n%s\n%s\n", client.Printable(s.Program), client.Printable(s.Verdict), counts(s), rates(s))
	if len(l.Fibers) > 0 {
		table(&text, l)
	}
	if more := l.Total - len(l.Fibers); more > 0 && limit > 0 {
		fmt.Fprintf(&text, "… and %s more; --limit shows up to %d\n", count(more), inspect.MaxList)
	}
	_, err = out.Write(text.Bytes())
	return err
}

// table writes the rows of a list under their titles, without blanks at the ends of lines.
func table(to *bytes.Buffer, l *inspect.List) {
	var aligned bytes.Buffer
	w := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	all := columns(0)
	line := func(cell func(column) string) {
		for _, c := range all {
			fmt.Fprint(w, client.Printable(cell(c)), "\t")
		}
		fmt.Fprintln(w)
	}
	line(func(c column) string { return c.title })
	for i := range l.Fibers {
		line(func(c column) string { return c.cell(&l.Fibers[i], l.Now) })
	}
	_ = w.Flush() // into memory
	for text := range strings.Lines(aligned.String()) {
		to.WriteString(strings.TrimRight(text, " \n") + "\n")
	}
}
