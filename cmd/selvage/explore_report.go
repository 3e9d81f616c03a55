package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/selvage-dev/selvage/explore"
)

// findingJSON is a finding as one line of JSON.
type findingJSON struct {
	Kind     explore.Kind         `json:"kind"`
	Schedule string               `json:"schedule"`
	Runs     int                  `json:"runs"`
	Switches int                  `json:"switches"`
	Text     string               `json:"text"`
	Output   string               `json:"output"`
	Steps    []explore.Step       `json:"steps"`
	Omitted  int                  `json:"omitted"` // steps in the middle
	Fibers   []explore.FiberState `json:"fibers"`
}

// print writes a finding to stdout.
func (e *exploreCmd) print(io streams, f *explore.Finding) error {
	if !e.JSON {
		fmt.Fprintf(io.out, "%s, found in run %d; switches: %d\n%s", f.Kind, f.Run, f.Schedule.Switches(), report(f.Ending, f.Schedule, e.boundsFlags, e.Program))
		return nil
	}
	steps, fibers := append([]explore.Step{}, f.Steps...), append([]explore.FiberState{}, f.Fibers...)
	line, err := json.Marshal(findingJSON{f.Kind, f.Schedule.String(), f.Run, f.Schedule.Switches(), f.Text, f.Output, steps, f.Omitted, fibers})
	if err != nil {
		return fmt.Errorf("cannot print the finding %s as JSON: %w", f.Schedule, err)
	}
	fmt.Fprintf(io.out, "%s\n", line)
	return nil
}

// report is what a finding shows below its first line: the steps, the verdict, the wait-for graph,
// the output and the schedule.
func report(e explore.Ending, schedule explore.Schedule, bounds boundsFlags, program []string) string {
	var b strings.Builder
	writeSteps(&b, e, filepath.Base(program[0]))
	fmt.Fprintln(&b, strings.TrimRight(e.Text, "\n"))
	if e.Waits != "" {
		fmt.Fprintf(&b, "waits:\n%s", e.Waits)
	}
	if e.Output != "" {
		fmt.Fprintf(&b, "output of this run:\n%s\n", strings.TrimRight(e.Output, "\n"))
	}
	fmt.Fprintf(&b, "show it again: selvage run --schedule %s %v%s\n", schedule, bounds, strings.Join(program, " "))
	return b.String()
}

// The columns of the steps. With more fibers than columns, several share one.
const (
	stepsWidth  = 100
	numberWidth = 6
	mostColumns = 4
	shownSteps  = 24 // half of them from the beginning
)

// writeSteps writes a line for each step, with each fiber in its column. The middle of a long run is
// left out. A position is :LINE in the file of the program.
func writeSteps(b *strings.Builder, e explore.Ending, file string) {
	columns := columnsOf(e.Steps)
	width := (stepsWidth - numberWidth) / max(1, min(len(columns), mostColumns))
	line := func(number int, s explore.Step) {
		column := slices.Index(columns, s.Fiber) % mostColumns
		fmt.Fprintf(b, "%4d  %*s%s\n", number, column*width, "", cell(s, file, width-1))
	}
	head, tail := len(e.Steps), len(e.Steps)
	if e.Omitted > 0 || len(e.Steps) > shownSteps {
		head, tail = shownSteps/2, len(e.Steps)-shownSteps/2
	}
	for i, s := range e.Steps[:head] {
		line(i+1, s)
	}
	if left := e.Omitted + tail - head; left > 0 {
		fmt.Fprintf(b, "%*s... %d steps are left out ...\n", numberWidth, "", left)
	}
	for i, s := range e.Steps[tail:] {
		line(e.Omitted+tail+i+1, s)
	}
}

// columnsOf are the fibers of the steps, in the order of their first ones.
func columnsOf(steps []explore.Step) (fibers []string) {
	for _, s := range steps {
		if !slices.Contains(fibers, s.Fiber) {
			fibers = append(fibers, s.Fiber)
		}
	}
	return fibers
}

// cell is one step in so many columns: the fiber, the lines and why it stopped.
func cell(s explore.Step, own string, width int) string {
	end := ""
	if s.End != "" {
		end = " " + s.End
	}
	text, room := s.Fiber+" "+linesOf(s.Lines, own), width-len(end)
	if utf8.RuneCountInString(text) > room {
		text = string([]rune(text)[:room-1]) + "…"
	}
	return strings.TrimRight(text, " ") + end
}

// linesOf joins positions: adjacent lines are a range, a file is named once for those that follow each
// other in it, and the file of the program is not named. Other files, such as those of a library, are left
// out if the step has been in that one.
func linesOf(lines []string, own string) string {
	if len(lines) > 0 && strings.HasPrefix(lines[0], own+": ") {
		return placesOf(lines)
	}
	var b strings.Builder
	inOwn := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, own+":") })
	file, from, to := "", 0, 0
	for _, l := range lines {
		name, number, _ := strings.Cut(l, ":")
		at, err := strconv.Atoi(number)
		switch {
		case err != nil || inOwn && name != own || name == file && at == to:
			continue
		case name == file && at == to+1:
			to = at
			continue
		}
		writeRange(&b, from, to)
		switch {
		case name == file:
			b.WriteString("," + number)
		case name == own:
			b.WriteString(" :" + number)
		default:
			b.WriteString(" " + l)
		}
		file, from, to = name, at, at
	}
	writeRange(&b, from, to)
	return strings.TrimSpace(b.String())
}

// writeRange ends a range whose first line has been written.
func writeRange(b *strings.Builder, from, to int) {
	if from != to {
		fmt.Fprintf(b, "-%d", to)
	}
}

// placesOf joins positions in a program without lines, such as "p.wasm: run → selvage.send": the functions,
// each with the imports that it has called, without their modules.
func placesOf(lines []string) string {
	var b strings.Builder
	last, separator := "", ""
	for _, l := range lines {
		_, function, _ := strings.Cut(l, ": ")
		call := ""
		if at := strings.LastIndex(function, arrow); at >= 0 {
			function, call = function[:at], function[at+len(arrow):]
			call = call[strings.LastIndexByte(call, '.')+1:]
		}
		if function != last {
			b.WriteString(" " + function)
			last, separator = function, arrow
		}
		if call != "" {
			b.WriteString(separator + call)
			separator = ","
		}
	}
	return strings.TrimSpace(b.String())
}

// arrow is between a function and what it has called, in the position of a fiber of WebAssembly.
const arrow = " → "
