package main

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	luafibers "github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/recorder/timeline"
	"github.com/selvage-dev/selvage/scheduler"
)

// drawIsland gives an island of the program a recorder and a part of the timeline, which end with the island: a
// recorder has at least a megabyte. Islands may make islands, so that several goroutines may call at once.
func (s *session) drawIsland(name string, cfg *scheduler.Config) luafibers.IslandHooks {
	var host *luafibers.Host
	var part *timeline.Part
	r := recorder.New(recorder.Config{
		Size: minRecorder, Exact: true, Clock: s.sinceDrawn,
		Each:     func(e *recorder.Event) { part.Event(e) },
		Function: func(id fiber.RegularID) string { return host.Function(id) },
	})
	part = s.timeline.Part(name, time.Duration(r.Began()-s.recorder.Began()))
	r.Configure(cfg)
	return luafibers.IslandHooks{
		Made: func(h *luafibers.Host) {
			host = h
			r.Attach(&h.Runtime().Scheduler().Core)
		},
		Ended: func() {
			r.Flush()
			part.Close()
		},
	}
}
