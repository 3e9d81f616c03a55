package recorder

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// Dump writes the last events as text, a line each, the oldest first: at most n, or all with n = 0. Its time is
// proportional to all that is kept.
func (r *Recorder) Dump(w io.Writer, n int) error {
	out := bufio.NewWriter(w)
	lines := make([]string, 0, max(n, 0))
	total := 0
	for e := range r.Events() {
		total++
		if n == 0 {
			fmt.Fprintln(out, r.Line(e))
			continue
		}
		if len(lines) < n {
			lines = append(lines, "")
		}
		lines[(total-1)%n] = r.Line(e)
	}
	if n > 0 && total > n {
		fmt.Fprintf(out, "the last %d of %d recorded events:\n", n, total)
	}
	for i := range lines {
		fmt.Fprintln(out, lines[(total+i)%len(lines)])
	}
	return out.Flush()
}

// Line is an event as a line of Dump.
func (r *Recorder) Line(e *Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%12s  %s", e.At.Round(time.Microsecond/10), r.title(e.ID, e.Name))
	b.WriteString(" " + r.Verb(e) + r.Details(e))
	return b.String()
}

// Details are, for people, what the fiber of an event waits on, where it is, and by which other fiber it was woken or
// spawned; empty if none of that is known.
func (r *Recorder) Details(e *Event) string {
	var b strings.Builder
	if e.Object != "" {
		b.WriteString(" on " + e.Object)
	}
	if e.Place != "" {
		b.WriteString(" at " + e.Place)
	}
	if e.By != 0 {
		b.WriteString(", by " + r.title(e.By, e.ByName))
	}
	return b.String()
}

// title is a fiber with its name, which a living one can be asked for.
func (r *Recorder) title(id fiber.ID, name string) string {
	if name == "" && r.core != nil {
		name = r.of.Name(id)
	}
	if name == "" {
		return id.String()
	}
	return fmt.Sprintf("%v %q", id, name)
}

// Verb says, for people, what the event is: "blocks", "wakes up".
func (r *Recorder) Verb(e *Event) string {
	switch {
	case e.From == fiber.Dead:
		return "begins"
	case e.To == fiber.Dead && e.EndsSlice():
		return "ends"
	case e.To == fiber.Dead:
		return "is killed"
	case e.Kind == fiber.Timer:
		return "sleeps"
	case e.Kind == fiber.IO:
		return "waits for I/O"
	case e.To == fiber.Blocked:
		return "blocks"
	case e.From == fiber.Blocked:
		return "wakes up"
	}
	return "yields"
}
