package main

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// The plot has a bar for each row with a goal: its ratio relative to the goal, on a logarithmic
// scale to base 2. The goal is met to the right of the line.
const (
	barHeight = 16
	labels    = 330 // width of the names
	step      = 70  // width of a doubling
	doublings = 4   // to each side of the line
	top       = 40
)

func plot(all []result) string {
	all = slices.DeleteFunc(slices.Clone(all), result.Reported)
	width, height := labels+2*doublings*step+90, top+len(all)*(barHeight+4)+20
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	for d := -doublings; d <= doublings; d++ {
		scaleLine(&b, d, height)
	}
	for i, r := range all {
		bar(&b, r, top+i*(barHeight+4))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func scaleLine(b *strings.Builder, doubling, height int) {
	x, colour := at(float64(doubling)), "#ddd"
	name := fmt.Sprintf("%g× goal", math.Exp2(float64(doubling)))
	if doubling == 0 {
		colour, name = "#000", "goal"
	}
	fmt.Fprintf(b, `<line x1="%.0f" y1="%d" x2="%.0f" y2="%d" stroke="%s"/>`+"\n", x, top-6, x, height-10, colour)
	fmt.Fprintf(b, `<text x="%.0f" y="%d" text-anchor="middle">%s</text>`+"\n", x, top-12, name)
}

func bar(b *strings.Builder, r result, y int) {
	way := math.Log2(r.progress())
	way = max(-doublings, min(doublings, way))
	from, to, colour := at(0), at(way), "#2a7"
	if from > to {
		from, to, colour = to, from, "#c62"
	}
	text := y + barHeight - 4
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%s %s</text>`+"\n", labels-8, text, r.ID, html.EscapeString(r.Work))
	fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", from, y, max(to-from, 1), barHeight, colour)
	fmt.Fprintf(b, `<text x="%.0f" y="%d">%.2f×</text>`+"\n", at(doublings)+6, text, r.Ratio)
}

// at is the place of a power of two on the scale.
func at(doubling float64) float64 { return labels + (doubling+doublings)*step }
