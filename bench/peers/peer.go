package peers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Peer is a program that is ready to run.
type Peer struct {
	Version string // of the runtime, with its name
	command []string
}

// New is the program of that runtime which the command starts.
func New(version string, command ...string) *Peer { return &Peer{version, command} }

// Measurement is the line that a program prints.
type Measurement struct {
	ID         string  `json:"id"`
	Operations int     `json:"operations"`
	NS         float64 `json:"ns"` // of one operation
}

// Took is the time of all operations.
func (m Measurement) Took() time.Duration { return time.Duration(m.NS * float64(m.Operations)) }

// MissingError is a runtime that is not installed.
type MissingError struct{ What string }

// Error names what is missing and how to get it.
func (e *MissingError) Error() string {
	return fmt.Sprintf("there is no %s; make peers installs it on Debian", e.What)
}

// ProgramError is a command that failed.
type ProgramError struct {
	Command string
	Err     error
	Said    string // on its standard error
}

// Error has the command, the failure, and the command's output about it.
func (e *ProgramError) Error() string {
	text := fmt.Sprintf("%s: %v", e.Command, e.Err)
	if e.Said != "" {
		text += ": " + e.Said
	}
	return text
}

// Unwrap is what went wrong.
func (e *ProgramError) Unwrap() error { return e.Err }

// Measure runs the work n times.
func (p *Peer) Measure(ctx context.Context, work string, n int) (Measurement, error) {
	args := append(p.command[1:len(p.command):len(p.command)], work, strconv.Itoa(n))
	out, err := say(ctx, "", p.command[0], args...)
	if err != nil {
		return Measurement{}, err
	}
	m, err := parse(out)
	switch {
	case err != nil:
	case m.ID != work || m.Operations != n:
		err = fmt.Errorf("it was to do %s %d times and did %s %d times", work, n, m.ID, m.Operations)
	case m.NS <= 0:
		err = fmt.Errorf("%s took %v ns", work, m.NS)
	default:
		return m, nil
	}
	return Measurement{}, &ProgramError{Command: p.command[0], Err: err}
}

var errMore = errors.New("more than one line of JSON")

func parse(text string) (m Measurement, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("no line of JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return m, errMore
	}
	return m, nil
}

// say runs a command and returns what it prints.
func say(ctx context.Context, dir, command string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, command, args...)
	var out, complaints bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &complaints
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return "", &ProgramError{command, err, firstLines(complaints.String())}
	}
	if out.Len() == 0 { // where some say their version
		return strings.TrimSpace(complaints.String()), nil
	}
	return strings.TrimSpace(out.String()), nil
}

// firstLines truncates a message to what a reader needs.
func firstLines(text string) string {
	const most = 400
	text = strings.TrimSpace(text)
	return text[:min(len(text), most)]
}
