package main

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/metrics"
	"github.com/selvage-dev/selvage/scheduler"
)

// watch looks at a run until stop is closed, and returns when nothing looks any more.
type watch func(h *inspect.Handler, stop <-chan struct{})

// beside is next+yield of eight fibers in a scheduler in which others wait for a deadline.
func beside(waiting int, w watch) func(int) time.Duration {
	return func(n int) time.Duration {
		s := scheduler.New[cell](scheduler.Config{MaxFibers: 2 * waiting})
		for range waiting {
			mustGet(s.SpawnWith(cell{}, scheduler.Options{Name: "worker"}))
			for s.ScheduleNext() == nil {
				s.Poll()
			}
			s.Arm(fiber.Until(1 << 60))
			s.Block()
		}
		for range 8 {
			mustSpawn(s)
		}
		if w == nil {
			return yields(s, n)
		}
		h := inspect.New(inspect.Config{Core: &s.Core})
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			w(h, stop)
		}()
		took := yields(s, n)
		close(stop)
		h.Close()
		<-stopped
		return took
	}
}

//go:noinline
func yields(s *scheduler.Scheduler[cell], n int) time.Duration {
	start := time.Now()
	for i := 0; i < n; {
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			f.Data.steps++
			s.YieldCurrent()
			i++
		}
		s.Poll()
	}
	return time.Since(start)
}

// pageOpen does what the page does that shows the list: it receives the events, and asks for a part of the list each
// second.
func pageOpen(h *inspect.Handler, stop <-chan struct{}) {
	server := httptest.NewServer(h)
	defer server.Close()
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		r := mustGet(http.Get(server.URL + "/api/v1/events"))
		defer r.Body.Close()
		for in := bufio.NewScanner(r.Body); in.Scan(); {
			continue // until the Handler is closed
		}
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		ask(h, "/api/v1/fibers?limit=100")
		select {
		case <-tick.C:
		case <-stop:
			<-heard
			return
		}
	}
}

// listRead asks for a part of the list again and again.
func listRead(h *inspect.Handler, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
			ask(h, "/api/v1/summary")
			ask(h, "/api/v1/fibers?limit=40")
		}
	}
}

func ask(h *inspect.Handler, path string) {
	r := httptest.NewRequest(http.MethodGet, path, strings.NewReader(""))
	r.Host = "localhost"
	h.ServeHTTP(httptest.NewRecorder(), r)
}

// scraped is next+yield while a Collector is read again and again.
func scraped(fibers int) func(int) time.Duration {
	return func(n int) time.Duration {
		s := scheduler.New[cell](scheduler.Config{})
		for range fibers {
			mustSpawn(s)
		}
		c := metrics.New(metrics.Config{})
		source := mustGet(c.Add(metrics.Scheduler{Name: "main", Core: &s.Core}))
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				default:
					c.Collect(make(chan prometheus.Metric, 1000))
				}
			}
		}()
		took := yields(s, n)
		source.Remove()
		close(stop)
		<-stopped
		return took
	}
}
