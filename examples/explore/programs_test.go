package explore

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	search "github.com/selvage-dev/selvage/explore"
	luafibers "github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// runs are those of each program: as many as selvage explore makes without --runs.
const runs = 1000

func TestEachBugIsFoundAndNothingIsFoundInTheRepairedProgram(t *testing.T) {
	programs, err := filepath.Glob("*.*")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range programs {
		ext := filepath.Ext(name)
		twin := strings.TrimSuffix(name, ext) + "_fixed" + ext
		switch kind := finding(t, name); {
		case kind != "":
			count++
			t.Run(name, func(t *testing.T) { isFound(t, name, kind) })
			if !slices.Contains(programs, twin) {
				t.Errorf("%s has no repaired twin %s", name, twin)
			}
		case strings.HasSuffix(strings.TrimSuffix(name, ext), "_fixed"):
			t.Run(name, func(t *testing.T) { isFound(t, name, search.Passed) })
		}
	}
	if count < 12 {
		t.Errorf("there are %d programs with a bug", count)
	}
}

// finding is the kind that a program says it has.
func finding(t *testing.T, name string) search.Kind {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if says := regexp.MustCompile(`(?m)^(?://|--) Finding: (\w+)$`).FindSubmatch(text); says != nil {
		return search.Kind(says[1])
	}
	return ""
}

// isFound explores a program; Passed is that nothing is found.
func isFound(t *testing.T, name string, kind search.Kind) {
	t.Helper()
	t.Parallel()
	r, err := search.Search(t.Context(), program(t, name), search.Options{Strategy: search.Mixed(1), Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	switch f := r.Finding; {
	case f == nil && kind != search.Passed:
		t.Errorf("nothing was found in %d runs, want %s", r.Runs, kind)
	case f != nil && f.Kind != kind:
		t.Errorf("run %d found %s, want %s: %s", f.Run, f.Kind, kind, f.Text)
	case f != nil && f.Schedule.Switches() > 3:
		t.Errorf("the schedule has %d switches", f.Schedule.Switches())
	}
}

func program(t *testing.T, name string) search.Program {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(name) == ".lua" {
		return inLua(name, string(source))
	}
	compiled, err := minigo.CompileExplored(minigo.File{Name: name, Text: source})
	if err != nil {
		t.Fatal(err)
	}
	return search.Guest(search.Bounds{}, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
		access := sandbox.Access{Stdout: output, Stderr: output}
		host, err := minigo.New(compiled, minigo.Config{Scheduler: cfg, Access: access, JIT: minigo.JITOff})
		if err != nil {
			return err
		}
		err = host.Run(ctx)
		var over *search.BoundsError
		if errors.As(context.Cause(ctx), &over) && over.Returned {
			return host.Stranded(over.Ran)
		}
		return err
	})
}

func inLua(name, source string) search.Program {
	return search.Guest(search.Bounds{}, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
		c := luafibers.Config{Access: sandbox.Access{Stdout: output, Stderr: output, Start: time.Time{}}}
		c.Runtime.Config = cfg
		host := luafibers.New(c)
		defer host.Close()
		_, err := host.Run(ctx, strings.NewReader(source), name)
		return err
	})
}
