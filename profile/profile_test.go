package profile

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// fakeTime is a source whose times the test sets.
type fakeTime struct {
	wall, cpu time.Duration
	unknown   bool // the CPU time
}

func (f *fakeTime) source() source {
	return source{
		wall: func() time.Duration { return f.wall },
		cpu:  func() (time.Duration, bool) { return f.cpu, !f.unknown },
	}
}

// idle is a Profile without a goroutine.
func idle(cfg Config, f *fakeTime) *Profile {
	p := newProfile(cfg, f.source())
	close(p.ended)
	return p
}

var leaf = []Frame{{Function: "leaf", File: "p.lua", Line: 2, Start: 1}, {Function: "main chunk", File: "p.lua", Line: 9}}

func TestTimeGoesToTheSchedulerThatExecutes(t *testing.T) {
	f := &fakeTime{unknown: true}
	p := idle(Config{}, f)
	a, b := p.NewSampler(), p.NewSampler()
	p.give(10 * time.Millisecond)
	require.False(t, a.Due(), "no fiber executes")

	a.Begin()
	p.give(10 * time.Millisecond)
	a.End()
	b.Begin()
	p.give(20 * time.Millisecond)
	b.Close()
	p.give(40 * time.Millisecond)
	require.True(t, a.Due())
	require.True(t, a.Pending())
	a.Take(Fiber{}, leaf)
	b.Take(Fiber{}, leaf[1:])
	require.False(t, a.Due())
	require.Equal(t, [][]int64{{1, int64(20 * time.Millisecond)}, {1, int64(10 * time.Millisecond)}}, values(p))
}

func TestSchedulersGetNoMoreThanTheCPUTimeOfTheProcess(t *testing.T) {
	f := &fakeTime{}
	p := idle(Config{}, f)
	a, b := p.NewSampler(), p.NewSampler()
	a.Begin()
	b.Begin()
	f.cpu = 8 * time.Millisecond // of one processor, that others use too
	p.give(10 * time.Millisecond)
	p.give(10 * time.Millisecond) // no CPU time has passed
	a.Take(Fiber{}, leaf)
	b.Take(Fiber{}, leaf)
	require.Equal(t, [][]int64{{2, int64(8 * time.Millisecond)}}, values(p))
}

func TestAStackWithoutCallsLeavesItsTimeToTheNext(t *testing.T) {
	p := idle(Config{}, &fakeTime{unknown: true})
	s := p.NewSampler()
	s.Begin()
	p.give(time.Millisecond)
	s.Take(Fiber{}, nil)
	s.Take(Fiber{}, leaf)
	require.Equal(t, [][]int64{{1, int64(time.Millisecond)}}, values(p))
}

func TestStepsGiveASampleForEachSoMany(t *testing.T) {
	p := Start(Config{Steps: 3})
	s := p.NewSampler()
	for range 10 {
		if s.Due() {
			s.Take(Fiber{}, leaf)
		}
	}
	p.Stop()
	require.Equal(t, [][]int64{{3, 9}}, values(p))
	c := p.Copy()
	require.Equal(t, "steps", c.SampleType[1].Type)
	require.Equal(t, int64(3), c.Period)
}

func TestNothingIsSampledAfterStop(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := Start(Config{Interval: time.Microsecond})
	s := p.NewSampler()
	s.Begin()
	p.Stop()
	p.Stop()
	s.Take(Fiber{}, leaf)
	require.Empty(t, p.Copy().Sample)
}

func TestASampleThatComesSoonIsAnnounced(t *testing.T) {
	p := Start(Config{Interval: time.Millisecond})
	defer p.Stop()
	s := p.NewSampler()
	s.Begin()
	for !s.Soon() {
		runtime.Gosched()
	}
	for !s.Pending() { // the test uses CPU time
		runtime.Gosched()
	}
	for s.Soon() {
		runtime.Gosched()
	}
	require.True(t, Start(Config{Interval: -1}).NewSampler().Soon(), "the host may advance at any time")
	require.True(t, Start(Config{Steps: 9}).NewSampler().Soon(), "each step counts")
}

func TestTheFileHasFunctionsLinesAndFibers(t *testing.T) {
	f := &fakeTime{unknown: true, wall: time.Second}
	p := idle(Config{Program: "p.lua", Interval: time.Millisecond}, f)
	s := p.NewSampler()
	s.Take(Fiber{ID: "f1.1", Name: "worker"}, leaf)
	s.Take(Fiber{ID: "f1.1"}, leaf[1:])
	var file bytes.Buffer
	require.NoError(t, p.Write(&file))
	c, err := pprof.Parse(&file)
	require.NoError(t, err)
	require.NoError(t, c.CheckValid())
	require.Equal(t, "p.lua", c.Mapping[0].File)
	require.Equal(t, int64(time.Second), c.DurationNanos)
	require.Equal(t, int64(time.Millisecond), c.Period)
	require.Equal(t, &pprof.ValueType{Type: "cpu", Unit: "nanoseconds"}, plain(c.SampleType[1]))
	require.Equal(t, plain(c.SampleType[1]), plain(c.PeriodType))
	require.Len(t, c.Sample, 2)
	require.Len(t, c.Location, 2)
	require.Len(t, c.Function, 2)
	for _, sample := range c.Sample {
		if len(sample.Location) == 1 {
			require.Equal(t, map[string][]string{"fiber": {"f1.1"}}, sample.Label)
			continue
		}
		require.Equal(t, map[string][]string{"fiber": {"f1.1"}, "name": {"worker"}}, sample.Label)
		line := sample.Location[0].Line[0]
		require.Equal(t, int64(2), line.Line)
		require.Equal(t, int64(1), line.Function.StartLine)
		require.Equal(t, "leaf", line.Function.Name)
		require.Equal(t, "p.lua", line.Function.Filename)
	}
}

func plain(v *pprof.ValueType) *pprof.ValueType { return &pprof.ValueType{Type: v.Type, Unit: v.Unit} }

func TestFunctionsOfOneNameAreToldApart(t *testing.T) {
	p := idle(Config{}, &fakeTime{unknown: true})
	s := p.NewSampler()
	for _, f := range []Frame{
		{Function: "new", File: "a.lua", Start: 3}, {Function: "new", File: "b.lua", Start: 3}, {Function: "new"},
		{Function: "new", File: "a.lua", Start: 3, Line: 4}, {Function: "main chunk", File: "a.lua"}, {Function: "main chunk", File: "b.lua"},
	} {
		s.Take(Fiber{}, []Frame{f})
	}
	var names []string
	for _, f := range p.Copy().Function {
		names = append(names, f.Name)
	}
	require.ElementsMatch(t, []string{"new (a.lua:3)", "new (b.lua:3)", "new", "main chunk (a.lua)", "main chunk (b.lua)"}, names)
}

// values are those of the samples, the highest first.
func values(p *Profile) (all [][]int64) {
	for _, s := range p.Copy().Sample {
		all = append(all, s.Value)
	}
	return all
}
