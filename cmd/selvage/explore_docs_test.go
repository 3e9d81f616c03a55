package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program in docs/explore.md, and the command and its output behind it.
var documented = regexp.MustCompile("(?s)```(?:lua|go)\n(.*?)```\n\n```text\n\\$ selvage (explore [^\n]*)\n(.*?)```")

func TestTheProgramsInTheDocumentationOfExploreHaveTheFindingsThatItShows(t *testing.T) {
	text, err := os.ReadFile("../../docs/explore.md")
	require.NoError(t, err)
	all := documented.FindAllStringSubmatch(string(text), -1)
	require.Len(t, all, strings.Count(string(text), "$ selvage explore"), "a command has no program in front of it")
	for _, block := range all {
		words := strings.Fields(block[2])
		t.Run(block[2], func(t *testing.T) {
			files{words[len(words)-1]: block[1]}.write(t)
			e := selvage(t, words...)
			require.Equal(t, statusFinding, e.status, e.err)
			require.Equal(t, block[3], e.out)
		})
	}
}
