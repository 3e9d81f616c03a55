package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/selvage-dev/selvage/runlog"
	"github.com/selvage-dev/selvage/scheduler"
)

// logFlags choose whether stderr has records or text.
type logFlags struct {
	Log string `enum:"off,text,json" default:"off" help:"Write what happens to the program to stderr as one record a line, for other programs, and not as text for people: text (key=value) or json; ${default}." placeholder:"FORM"`
}

func (f logFlags) check(schedule string) error {
	if f.Log != "off" && schedule != "" {
		return errors.New("--log: a run under a --schedule prints its steps; leave one of them out")
	}
	return nil
}

// runLog is the records of a run.
type runLog struct {
	*runlog.Log
	to *slog.Logger
}

// toStderr writes to what is the stderr of the session at that moment.
type toStderr struct{ *session }

func (w toStderr) Write(p []byte) (int, error) { return w.io.err.Write(p) }

// newLog is the log that the flags ask for, or nil.
func (s *session) newLog() *runLog {
	var handler slog.Handler
	switch s.Log {
	case "text":
		handler = slog.NewTextHandler(toStderr{s}, nil)
	case "json":
		handler = slog.NewJSONHandler(toStderr{s}, nil)
	default:
		return nil
	}
	to := slog.New(handler)
	if s.Copies > 1 {
		to = to.With("copy", s.number)
	}
	return &runLog{runlog.New(runlog.Config{Logger: to, Details: traceback}), to}
}

// traceback is what is printed below the message of an error, as an attribute.
func traceback(err error) []slog.Attr {
	var text bytes.Buffer
	printTraceback(streams{out: io.Discard, err: &text}, err)
	if text.Len() == 0 {
		return nil
	}
	return []slog.Attr{slog.String("traceback", strings.TrimSpace(text.String()))}
}

func (s *session) configureLog(cfg *scheduler.Config) {
	if s.log != nil {
		s.log.Configure(cfg)
	}
}

// tellOrLog is tell for what a log has in records of its own.
func (s *session) tellOrLog(what func(streams)) {
	if s.log == nil {
		s.tell(what)
		return
	}
	what(streams{out: io.Discard, err: io.Discard})
}

// announce tells where something is served.
func (s *session) announce(what, url string) {
	if s.log != nil {
		s.log.to.Info(what, "url", url)
		return
	}
	s.tell(func(io streams) { fmt.Fprintf(io.err, "selvage: %s at %s\n", what, url) })
}

// logNoRun says why there is no run.
func (s *session) logNoRun(err error) {
	if s.log != nil && err != nil {
		s.log.to.Error("no run", "reason", err.Error())
	}
}

// logEnd says how a run has ended, and with which status.
func (s *session) logEnd(on *scheduler.Core, shown, err error) {
	is := status(statusUsage) // what has no status yet
	if shown == nil {
		is = statusDone
	}
	errors.As(shown, &is)
	if is == statusInterrupted && s.ctx.Err() != nil {
		err = s.ctx.Err()
	}
	s.log.Ended(on.Inspect(), err, slog.Int("status", int(is)))
}
