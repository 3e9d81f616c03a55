package explore

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	search "github.com/selvage-dev/selvage/explore"
	luafibers "github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// A bug is found within so many runs.
const found = 100

// repaired is how many runs of a repaired program find nothing: as many as selvage explore makes without
// --runs, or, in hours, ten times as many.
func repaired() int {
	if long.Deep() {
		return 10_000
	}
	return 1000
}

// bug is what the first comment of a program says.
type bug struct {
	kind search.Kind
	mode search.Mode
}

// modes are the flags that a program may need.
func modes() map[string]search.Mode {
	return map[string]search.Mode{"": 0, ", with --races": search.WatchRaces, ", with --points=access": search.WatchAccesses}
}

func TestEachBugIsFoundAndNothingIsFoundInTheRepairedProgram(t *testing.T) {
	kernels := judge(t, "*.*")
	if len(kernels) < 30 {
		t.Errorf("there are %d programs with a bug of a project", len(kernels))
	}
	races := 0
	for _, b := range kernels {
		if b.kind == search.Race {
			races++
		}
	}
	if races < 5 {
		t.Errorf("there are %d programs with a data race", races)
	}
	both := 0
	puzzles := judge(t, "puzzles/*.*")
	for name := range puzzles {
		lua, is := strings.CutSuffix(name, ".go")
		if _, too := puzzles[lua+".lua"]; is && too {
			both++
		}
	}
	if both < 10 || len(puzzles) != 2*both {
		t.Errorf("%d of %d puzzles are in Lua and in Go", both, len(puzzles)-both)
	}
}

// judge explores the programs of a folder, and returns their bugs.
func judge(t *testing.T, pattern string) map[string]bug {
	t.Helper()
	programs, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	bugs := map[string]bug{}
	for _, name := range programs {
		b := finding(t, name)
		if b.kind == "" {
			continue
		}
		bugs[name] = b
		t.Run(name, func(t *testing.T) { isFound(t, name, b, found) })
		ext := filepath.Ext(name)
		twin := strings.TrimSuffix(name, ext) + "_fixed" + ext
		none := bug{search.Passed, b.mode}
		if ext == ".go" {
			none.mode |= search.WatchRaces
		}
		t.Run(twin, func(t *testing.T) { isFound(t, twin, none, repaired()) })
	}
	for _, name := range programs {
		whole, is := strings.CutSuffix(strings.TrimSuffix(name, filepath.Ext(name)), "_fixed")
		if _, some := bugs[whole+filepath.Ext(name)]; is && !some {
			t.Errorf("%s has no twin with a bug", name)
		}
	}
	return bugs
}

// finding is what a program says that it has.
func finding(t *testing.T, name string) (b bug) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if says := regexp.MustCompile(`(?m)^(?://|--) Finding: (\w+)(.*)$`).FindSubmatch(text); says != nil {
		mode, is := modes()[string(says[2])]
		if !is {
			t.Errorf("%s: Finding: %s%s: want a kind, and none or one of the flags", name, says[1], says[2])
		}
		return bug{search.Kind(says[1]), mode}
	}
	return bug{}
}

// isFound explores a program; Passed is that nothing is found.
func isFound(t *testing.T, name string, want bug, runs int) {
	t.Helper()
	t.Parallel()
	o := search.Options{Strategy: search.Mixed(1), Runs: runs, Mode: want.mode}
	r, err := search.Search(t.Context(), program(t, name, want.mode), o)
	if err != nil {
		t.Fatal(err)
	}
	switch f := r.Finding; {
	case f == nil && want.kind != search.Passed:
		t.Errorf("nothing was found in %d runs, want %s", r.Runs, want.kind)
	case f != nil && f.Kind != want.kind:
		t.Errorf("run %d found %s, want %s: %s", f.Run, f.Kind, want.kind, f.Text)
	case f != nil && f.Schedule.Switches() > 3:
		t.Errorf("the schedule has %d switches", f.Schedule.Switches())
	}
}

func program(t *testing.T, name string, mode search.Mode) search.Program {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(name) == ".lua" {
		return inLua(name, string(source))
	}
	compile := minigo.CompileExplored
	if mode != 0 {
		compile = minigo.CompileWatched
	}
	compiled, err := compile(minigo.File{Name: name, Text: source})
	if err != nil {
		t.Fatal(err)
	}
	return search.Guest(search.Bounds{}, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
		c := minigo.Config{Scheduler: cfg, JIT: minigo.JITOff, Races: mode&search.WatchRaces != 0, AccessPoints: mode&search.WatchAccesses != 0}
		c.Access = sandbox.Access{Stdout: output, Stderr: output}
		host, err := minigo.New(compiled, c)
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
