//go:build unix && !race

package escape_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/sandbox"
)

// inStarlark runs a program that loads a file. If the file was read, the result says so: whatever the program fails with
// then is no error of a file.
func inStarlark(t *testing.T, access sandbox.Access, text string) string {
	t.Helper()
	var out bytes.Buffer
	access.Stdout = &out
	h, err := starlark.New(starlark.Config{Access: access})
	require.NoError(t, err)
	defer h.Close()
	_, err = h.Run(t.Context(), "/d/escape.star", []byte(text))
	if !errors.As(err, new(*sandbox.AccessError)) && !errors.As(err, new(*fs.PathError)) {
		out.WriteString("REACHED")
	}
	return out.String() + fmt.Sprint(err)
}

func TestStarlarkLoadsNoFileOutsideOfItsDirectories(t *testing.T) {
	f := newFence(t)
	f.link(t)
	before := f.beyond(t)
	for _, access := range accesses(f) {
		for _, way := range targets() {
			for _, op := range []string{`load("FILE", "x")`, `fiber.module("FILE")`, `fiber.spawn(fiber.module, "FILE").join()`} {
				f.holds(t, before, inStarlark(t, access, f.at(way, op)))
			}
		}
	}
	require.Contains(t, inStarlark(t, sandbox.Process(), f.with(`load("BASE/secret", "x")`)), "REACHED")
	require.Contains(t, inStarlark(t, f.narrow(), `load("f", "x")`), "REACHED") // the file is the guest's own
}
