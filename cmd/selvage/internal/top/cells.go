package top

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/selvage-dev/selvage/inspect/client"
)

// cut is behind or before a text that does not fit.
const cut = "…"

// fit is a text of the program in exactly that many cells of a terminal.
func fit(text string, width int) string {
	return pad(ansi.Truncate(client.Printable(clip(text, width)), max(width, 0), cut), width)
}

// fitEnd is fit that keeps the end of a text: of a place, that is the line.
func fitEnd(text string, width int) string {
	text = client.Printable(clipEnd(text, width))
	if all := ansi.StringWidth(text); all > width && width > 0 {
		text = cut + ansi.Cut(text, all-width+1, all)
	}
	return fit(text, width)
}

// clip takes away the rest of a long text, so that a row costs no more than its width.
func clip(text string, width int) string {
	return text[:min(len(text), mostBytes(width))]
}

// clipEnd is clip that keeps the end of a text.
func clipEnd(text string, width int) string {
	return text[max(0, len(text)-mostBytes(width)):]
}

// mostBytes is how many bytes a width shows at most. Marks have no width of their own.
func mostBytes(width int) int { return 16*max(width, 0) + 64 }

// pad adds blanks to a text that has no more cells than width.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

// count is a number with commas.
func count[T int | uint64](n T) string {
	digits := strconv.FormatUint(uint64(max(n, 0)), 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// rate is a number per second in a few digits.
func rate(perSecond float64) string {
	for _, unit := range []string{"", "k", "M", "G"} {
		switch {
		case perSecond < 10 && perSecond != float64(int(perSecond)):
			return fmt.Sprintf("%.1f%s", perSecond, unit)
		case perSecond < 1000:
			return fmt.Sprintf("%.0f%s", perSecond, unit)
		}
		perSecond /= 1000
	}
	return "many"
}

// span is a time between two instants in a few digits.
func span(nanoseconds int64) string {
	d := time.Duration(nanoseconds)
	if d.Abs() >= time.Hour {
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	for _, digits := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if d.Abs() >= 10*digits {
			return d.Round(digits / 10).String()
		}
	}
	return d.String()
}
