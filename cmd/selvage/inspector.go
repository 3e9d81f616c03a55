package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/scheduler"
)

// maxSource is how many bytes of a source file the inspector reads.
const maxSource = 4 << 20

// inspector is the page of a run; the zero value is none.
type inspector struct {
	listener *inspect.Listener
	handler  *inspect.Handler
	server   *inspect.Server
	url      string
	stack    func(fiber.RegularID, bool) []frame.Frame // nil: the language has none
}

// listen takes the address before the program runs.
func (i *inspector) listen(addr string) (err error) {
	if addr == "" {
		return nil
	}
	if i.listener, err = inspect.Listen(addr); err != nil {
		return fmt.Errorf("--inspect: %w", err)
	}
	return nil
}

// serveInspector begins to serve the page, and tells its address.
func (s *session) serveInspector(on *scheduler.Core) (err error) {
	i := &s.inspector
	if i.listener == nil {
		return nil
	}
	token := s.InspectToken
	if token == "" && !i.listener.Loopback() {
		token = rand.Text()
	}
	i.url = i.listener.URL(token)
	var history inspect.History
	if s.recorder != nil {
		history = inspect.Recorded(s.recorder)
	}
	i.handler = inspect.New(inspect.Config{
		History: history, Islands: s.islands.inspected,
		Core: on, Program: filepath.Base(s.Program[0]), Stack: i.stack, Steps: s.steps, Source: sourceOf(s.Program[0]), Token: token, Control: s.InspectControl, Values: s.InspectValues,
	})
	if i.server, err = inspect.Serve(i.listener, i.handler); err != nil {
		return err
	}
	s.announce("inspector", i.url)
	return nil
}

// end says how the run has ended.
func (i *inspector) end(verdict, text string) {
	if i.handler != nil {
		i.handler.End(verdict, text)
	}
}

// holdInspector goes on answering until the command is interrupted, with --inspect-hold.
func (s *session) holdInspector() {
	if !s.InspectHold || s.ctx.Err() != nil {
		return
	}
	s.announce("last state until Ctrl-C", s.inspector.url)
	s.inspector.handler.Hold(s.ctx)
}

func (i *inspector) close() {
	switch {
	case i.server != nil:
		i.server.Close()
	case i.listener != nil:
		_ = i.listener.Close()
	}
}

// sourceOf reads the program and the files of its language beside and below it. The names come from the program, which
// must not get others shown.
func sourceOf(program string) func(file string) ([]byte, bool) {
	folder := filepath.Dir(program)
	return func(file string) ([]byte, bool) {
		if filepath.Ext(file) != filepath.Ext(program) {
			return nil, false
		}
		name, err := filepath.Rel(folder, file)
		if err != nil || !filepath.IsLocal(name) {
			return nil, false
		}
		f, err := os.OpenInRoot(folder, name)
		if err != nil {
			return nil, false
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, maxSource))
		return text, err == nil
	}
}
