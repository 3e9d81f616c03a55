package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
)

// recorderFlags choose whether the recent events of a run are kept.
type recorderFlags struct {
	Recorder     bool `help:"Keep the recent events of fibers, and tell the last of them on stderr after a deadlock or a leak, and at each SIGQUIT."`
	RecorderSize size `default:"16MiB" env:"SELVAGE_RECORDER_SIZE" help:"How much memory the recent events may use (${default})." placeholder:"SIZE"`
}

// minRecorder is what a recorder needs.
const minRecorder = 1 << 20

// toldEvents is how many events are told.
const toldEvents = 50

func (f recorderFlags) check(copies int) error {
	switch {
	case f.Recorder && copies > 1:
		return errors.New("--recorder: the events of one program are kept; leave --copies out")
	case f.RecorderSize < minRecorder:
		return fmt.Errorf("--recorder-size %d: want at least 1MiB", f.RecorderSize)
	}
	return nil
}

// record has the scheduler that is made with cfg keep its recent events, if anything wants them.
func (s *session) record(cfg *scheduler.Config) {
	if !s.Recorder && s.timeline == nil && s.metrics.listener == nil && s.inspector.listener == nil {
		return
	}
	// A switch of a Go program costs less than an instant of its own.
	with := recorder.Config{Size: minRecorder, Exact: s.language() != ".go"}
	with.Accounts = s.metrics.listener != nil || s.reportFlags.wanted()
	if s.Recorder {
		with.Size = int(s.RecorderSize)
	}
	s.draw(&with, cfg)
	s.recorder = recorder.New(with)
	s.recorder.Configure(cfg)
}

// tellEvents writes the last events, if that was asked for.
func (s *session) tellEvents(w io.Writer) {
	if s.Recorder && s.recorder != nil {
		_ = s.recorder.Dump(w, toldEvents) // a run is not lost because stderr is
	}
}
