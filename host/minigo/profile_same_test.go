package minigo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/host/minigo/internal/gen"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/profile"
)

// course is what a run in virtual time has done.
type course struct {
	out, end           string
	steps, transitions int64
}

func courseOf(t *testing.T, program *minigo.Program, name string, cfg minigo.Config) (c course) {
	t.Helper()
	var text bytes.Buffer
	cfg.Access.Stdout, cfg.Access.Stderr, cfg.Args = &text, &text, []string{name}
	host, err := minigo.New(program, cfg)
	require.NoError(t, err)
	defer host.Close()
	if err := host.Run(long.Context(t)); err != nil {
		c.end = err.Error()
	}
	c.out, c.steps, c.transitions = text.String(), host.Spent().Steps, int64(host.Scheduler().Inspect().Transitions())
	return c
}

// requireSameUnderProfile runs a program with and without samples, after each step and by the clock.
func requireSameUnderProfile(t *testing.T, name string, source []byte) {
	t.Helper()
	program, err := minigo.Compile(minigo.File{Name: name, Text: source})
	require.NoError(t, err)
	for _, budget := range []int{0, 7} {
		cfg := minigo.Config{JIT: minigo.JITOff}
		cfg.Scheduler.Budget = budget
		want := courseOf(t, program, name, cfg)
		for _, how := range []profile.Config{{Steps: 1}, {Interval: 1000}} {
			p := profile.Start(how)
			cfg.Profile = p
			require.Equal(t, want, courseOf(t, program, name, cfg), "budget %d", budget)
			p.Stop()
			require.NoError(t, p.Copy().CheckValid())
		}
	}
}

func TestAProfileDoesNotChangeWhatAProgramDoes(t *testing.T) {
	programs, err := filepath.Glob("testdata/*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, path := range programs {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			requireSameUnderProfile(t, filepath.Base(path), source)
		})
	}
}

func TestAProfileDoesNotChangeWhatRandomProgramsDo(t *testing.T) {
	for first := 0; first < long.Cases(50, 1000); first += together {
		requireSameUnderProfile(t, "random.go", []byte(gen.Main(random(first, together)...)))
	}
}
