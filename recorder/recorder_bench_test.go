package recorder_test

import (
	"testing"

	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// pingPong sends n values from one fiber to another and back.
func pingPong(s *scheduler.Scheduler[int], n int) {
	var there, back = wait.NewChan[int](0), wait.NewChan[int](0)
	for i := range 2 {
		_, _ = s.SpawnWith(i, scheduler.Options{})
	}
	recv := func(c *wait.Chan[int]) {
		_, status, w := c.TryRecv()
		if status == wait.Empty {
			t, _ := s.BlockOn(c.Source())
			_ = c.ParkRecv(t, 0)
			return
		}
		s.Apply(w)
	}
	for s.Poll() {
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			if t, _ := s.Claim(); !t.IsZero() {
				if f.Data == 0 {
					_, _ = back.Collect(t)
				} else {
					_, _ = there.Collect(t)
				}
			}
			if n--; n < 0 {
				s.KillCurrent()
				continue
			}
			if f.Data == 0 {
				if ok, w, _ := there.TrySend(n); ok {
					s.Apply(w)
				}
				recv(back)
			} else {
				if ok, w, _ := back.TrySend(n); ok {
					s.Apply(w)
				}
				recv(there)
			}
		}
	}
	s.Steps().KillAll(nil)
}

func BenchmarkPingPong(b *testing.B) {
	for _, name := range []string{"off", "on", "exact"} {
		b.Run(name, func(b *testing.B) {
			cfg := scheduler.Config{}
			var r *recorder.Recorder
			if name != "off" {
				r = recorder.New(recorder.Config{Exact: name == "exact"})
				r.Configure(&cfg)
			}
			s := scheduler.New[int](cfg)
			if r != nil {
				r.Attach(&s.Core)
			}
			b.ResetTimer()
			pingPong(s, b.N)
		})
	}
}
