package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/scheduler"
)

// reportFlags choose the form in which a run tells how it ended.
type reportFlags struct {
	Report     string `enum:"text,json" default:"text" help:"How a run that fails tells why on stderr: text, or json: at the end of each run one line with all fibers, what each waits on, and the verdict; ${default}." placeholder:"FORM"`
	Leaks      bool   `help:"When the main program has returned, let the other fibers run until none can, and report those that never run again, with status 3."`
	ReportFile string `help:"Write that line to this file, whatever --report is." placeholder:"FILE"`
}

func (f reportFlags) wanted() bool { return f.Report == "json" || f.ReportFile != "" }

// countsSteps tells whether something shows the steps of each fiber.
func (s *session) countsSteps() bool { return s.reportFlags.wanted() || s.inspector.listener != nil }

func (f reportFlags) check(copies int, schedule string) error {
	switch {
	case !f.wanted():
		return nil
	case copies > 1:
		return errors.New("--report, --report-file: there is one report for one program; leave --copies out")
	case schedule != "":
		return errors.New("--report, --report-file: a run under a --schedule has none; selvage explore --json describes its end")
	}
	return nil
}

// report explains a run that has ended, as text or as JSON, and turns it into an exit status.
func (s *session) report(on *scheduler.Core, io streams, exit status, err error) error {
	var text bytes.Buffer
	var shown error = exit
	if err != nil || exit == statusDone {
		shown = s.explainTo(streams{out: io.out, err: &text}, err)
	}
	if s.log != nil {
		s.logEnd(on, shown, err)
	} else if s.Report != "json" {
		_, _ = io.err.Write(text.Bytes())
	}
	is := status(statusUsage) // what has no status yet
	known := shown == nil || errors.As(shown, &is)
	if shown == nil {
		is = statusDone
	}
	verdict := s.verdict(is, err)
	s.inspector.end(verdict, text.String())
	if !s.wanted() || !known {
		return shown
	}
	r := inspect.NewReport(on.Inspect(), verdict)
	r.Status, r.Error = int(is), text.String()
	r.AddSteps(s.steps)
	if s.recorder != nil {
		r.AddAccounts(s.recorder)
	}
	if s.Report == "json" {
		_ = r.Write(io.err) // into memory
	}
	if s.reportTo == nil {
		return shown
	}
	if err := errors.Join(r.Write(s.reportTo), s.reportTo.Close()); err != nil {
		fmt.Fprintf(io.err, "selvage: cannot write the report: %v\n", err)
		if shown == nil {
			return status(statusUsage)
		}
	}
	return shown
}

// verdict is the word for how a run has ended: a program may choose its status.
func (s *session) verdict(is status, err error) string {
	word, stuck := stuckError(err)
	switch {
	case stuck != nil:
		return word
	case is == statusInterrupted && s.ctx.Err() != nil:
		return "interrupted"
	case err != nil || s.failures > 0:
		return "failed"
	case is != statusDone:
		return "exited"
	}
	return "done"
}

// openReport opens the file before the run, which would be lost if it cannot be written.
func (s *session) openReport() (err error) {
	if s.ReportFile == "" {
		return nil
	}
	if s.reportTo, err = os.Create(s.ReportFile); err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	return nil
}
