package top

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/inspect/client"
)

// text collects lines, each of which may have texts of the program. It holds textLines at most, each no longer than
// what a line of the width can show.
type text struct {
	width int
	lines []string
	more  int // lines that have no place
}

func (t *text) add(indent int, format string, arguments ...any) {
	if t.full() {
		return
	}
	line := strings.Repeat("  ", indent) + client.Printable(clip(fmt.Sprintf(format, arguments...), t.width))
	t.lines = append(t.lines, strings.TrimRight(line, " "))
}

// heading begins a part after an empty line.
func (t *text) heading(p paint, title string) {
	if !t.full() {
		t.lines = append(t.lines, "", p.bold(title))
	}
}

// full counts a line that has no place.
func (t *text) full() bool {
	if len(t.lines) < textLines {
		return false
	}
	t.more++
	return true
}

// all is the lines, with how many are missing.
func (t *text) all() []string {
	if t.more == 0 {
		return t.lines
	}
	return append(t.lines, fmt.Sprintf("… and %s more lines", count(t.more)))
}
