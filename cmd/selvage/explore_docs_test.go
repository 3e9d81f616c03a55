package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program in docs/explore.md, and the command and its output behind it.
var documented = regexp.MustCompile("(?s)```(?:lua|go)( wasip1 [a-z-]+)?\n(.*?)```\n\n```text\n\\$ selvage (explore [^\n]*)\n(.*?)```")

func TestTheProgramsInTheDocumentationOfExploreHaveTheFindingsThatItShows(t *testing.T) {
	text, err := os.ReadFile("../../docs/explore.md")
	require.NoError(t, err)
	all := documented.FindAllStringSubmatch(string(text), -1)
	require.Len(t, all, strings.Count(string(text), "$ selvage explore"), "a command has no program in front of it")
	for _, block := range all {
		words := strings.Fields(block[3])
		file := words[len(words)-1]
		t.Run(block[3], func(t *testing.T) {
			if built := strings.Fields(block[1]); len(built) > 0 {
				files{"main.go": block[2]}.write(t)
				buildWasm(t, file, built)
			} else {
				files{file: block[2]}.write(t)
			}
			e := selvage(t, words...)
			require.Equal(t, statusFinding, e.status, e.err)
			if block[1] != "" { // the program, and so the schedule, depends on the version of Go
				block[4], e.out = schedules.ReplaceAllString(block[4], ""), schedules.ReplaceAllString(e.out, "")
			}
			require.Equal(t, block[4], e.out)
		})
	}
}

var schedules = regexp.MustCompile("--schedule [a-z2-7]+")

// buildWasm builds main.go for a system in a build mode.
func buildWasm(t *testing.T, file string, words []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildmode="+words[1], "-o", file, "main.go")
	cmd.Env = append(os.Environ(), "GOOS="+words[0], "GOARCH=wasm")
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
}
