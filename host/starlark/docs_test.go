package starlark_test

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/starlark"
)

var documented = regexp.MustCompile("(?s)```python\n(.*?)```\n\n```text\n(.*?)```\n")

// Each program of the page prints what stands below it, and then the error with which it ends.
func TestEveryProgramInTheDocumentationPrintsWhatIsSaid(t *testing.T) {
	page, err := os.ReadFile("../../docs/starlark.md")
	require.NoError(t, err)
	all := documented.FindAllSubmatch(page, -1)
	require.Greater(t, len(all), 6)
	require.Equal(t, bytes.Count(page, []byte("```python")), len(all))
	for _, program := range all {
		for _, slice := range []int{3, 10_000} {
			var out bytes.Buffer
			cfg := starlark.Config{}
			cfg.Access.Stdout, cfg.Runtime.Budget = &out, slice
			h, err := starlark.New(cfg)
			require.NoError(t, err)
			defer h.Close()
			if _, err := h.Run(context.Background(), "example.star", program[1]); err != nil {
				out.WriteString(err.Error())
			}
			require.Equal(t, string(bytes.TrimSpace(program[2])), string(bytes.TrimSpace(out.Bytes())), "slice %d:\n%s", slice, program[1])
		}
	}
}
