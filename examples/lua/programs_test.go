package lua

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/selvage-dev/selvage/internal/long"
)

// program is one of the examples.
type program struct {
	file    string
	virtual bool // it is to be run in virtual time
	real    bool // it needs real time: its first lines say so
}

func (p program) name() string { return strings.TrimSuffix(p.file, ".lua") }

// run runs it as its first lines say, with more flags.
func (p program) run(t *testing.T, flags ...string) ending {
	t.Helper()
	if p.virtual {
		flags = append(flags, "--virtual")
	}
	args := append([]string{"run"}, flags...)
	return execute(t, ".", selvage, append(args, p.file)...)
}

// programs reads how each example wants to be run from its first lines.
func programs(t *testing.T) (all []program) {
	t.Helper()
	files, err := filepath.Glob("*.lua")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(text), "\n\n")
		p := program{file: file, real: strings.Contains(head, "It needs real time.")}
		switch {
		case strings.Contains(head, "\n--     selvage run examples/lua/"+file):
		case strings.Contains(head, "\n--     selvage run --virtual examples/lua/"+file):
			p.virtual = true
		default:
			t.Fatalf("%s: the first lines do not tell how to run it: want a line\n--     selvage run [--virtual] examples/lua/%s", file, file)
		}
		all = append(all, p)
	}
	if len(all) < 10 {
		t.Fatalf("found only %d programs", len(all))
	}
	return all
}

// each runs a check on every program.
func each(t *testing.T, check func(t *testing.T, p program)) {
	for _, p := range programs(t) {
		t.Run(p.name(), func(t *testing.T) {
			t.Parallel()
			check(t, p)
		})
	}
}

func TestProgramPrintsWhatItsGoldenFilesSay(t *testing.T) {
	each(t, func(t *testing.T, p program) {
		got := p.run(t)
		if *rewrite {
			p.record(t, got)
		}
		p.compare(t, "as its first lines say", got)
	})
}

func TestProgramPrintsTheSameInEveryInterleaving(t *testing.T) {
	each(t, func(t *testing.T, p program) {
		ways := []string{"--budget 7", "--virtual", "", "--budget 1", "--seed 99", "--virtual --budget 7"}
		if !long.On(t) {
			ways = ways[:2]
		}
		for _, flags := range ways {
			if p.real && strings.Contains(flags, "--virtual") {
				continue
			}
			p.compare(t, "with the flags "+flags, p.run(t, strings.Fields(flags)...))
		}
	})
}

// What virtual time does not have is refused in words, with the line.
func TestProgramThatNeedsRealTimeSaysSoInVirtualTime(t *testing.T) {
	found := 0
	for _, p := range programs(t) {
		if !p.real {
			continue
		}
		found++
		got := p.run(t, "--virtual")
		if got.status != 1 || !strings.Contains(got.stderr, "run the program without --virtual") || !strings.Contains(got.stderr, p.file+":") {
			t.Errorf("%s in virtual time: status %d, %s", p.file, got.status, got.stderr)
		}
	}
	if found < 2 {
		t.Errorf("found only %d programs that need real time", found)
	}
}

// record writes the golden files.
func (p program) record(t *testing.T, got ending) {
	t.Helper()
	files := map[string]string{p.name() + ".out": got.stdout}
	_ = os.Remove(p.name() + ".err")
	if got.status != 0 || got.stderr != "" {
		files[p.name()+".err"] = header(got.status) + got.stderr
	}
	for file, text := range files {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// header is the first line of an .err file.
func header(status int) string { return fmt.Sprintf("exit status %d\n", status) }

// compare looks for differences from the golden files.
func (p program) compare(t *testing.T, how string, got ending) {
	t.Helper()
	stdout, err := os.ReadFile(p.name() + ".out")
	if err != nil {
		t.Fatalf("%v; go test ./examples/lua -rewrite makes it", err)
	}
	if d := cmp.Diff(string(stdout), got.stdout); d != "" {
		t.Errorf("%s, %s: stdout is not as in %s.out (-want +got):\n%s", p.file, how, p.name(), d)
	}
	want := header(0)
	if stderr, err := os.ReadFile(p.name() + ".err"); err == nil {
		want = string(stderr)
	}
	if d := cmp.Diff(want, header(got.status)+got.stderr); d != "" {
		t.Errorf("%s, %s: status and stderr are not as in %s.err (-want +got):\n%s", p.file, how, p.name(), d)
	}
}

// Whatever a program does, its scheduler does what the specification allows.
func TestTheTraceOfEveryExampleFollowsTheSpecification(t *testing.T) {
	for _, p := range programs(t) {
		t.Run(p.name(), func(t *testing.T) {
			t.Parallel()
			trace := filepath.Join(t.TempDir(), "trace.ndjson")
			p.run(t, "--trace", trace)
			e := execute(t, ".", selvage, "spec", "check", trace)
			if e.status != 0 || !strings.HasSuffix(e.stdout, "follows the specification\n") {
				t.Errorf("%s%s", e.stdout, e.stderr)
			}
		})
	}
}
