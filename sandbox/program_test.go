package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// programs makes a directory that is PATH, and another with a link to it.
func programs(t *testing.T, names ...string) (dir, link string) {
	t.Helper()
	top := t.TempDir()
	dir, link = filepath.Join(top, "bin"), filepath.Join(top, "usr")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.Symlink("bin", link))
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o755))
	}
	t.Setenv("PATH", dir)
	return dir, link
}

func TestAProgramIsAllowedByItsPlaceAndItsName(t *testing.T) {
	dir, link := programs(t, "tool", "busybox", "other")
	require.NoError(t, os.Symlink("busybox", filepath.Join(dir, "ls")))
	require.NoError(t, os.Symlink("busybox", filepath.Join(dir, "sh")))
	for _, c := range []struct {
		entry, asked, file string // no file: refused
	}{
		{"tool", "tool", "tool"},
		{"tool", filepath.Join(dir, "tool"), "tool"},
		{"tool", filepath.Join(link, "tool"), "tool"},
		{filepath.Join(dir, "tool"), "tool", "tool"},
		{filepath.Join(dir, "tool"), filepath.Join(dir, "..", "bin", "tool"), "tool"},
		{"tool", "other", ""},
		{"tool", "none", ""},
		{"tool", "", ""},
		{"tool", filepath.Join(dir, "other"), ""},
		{"ls", "ls", "ls"},
		{"ls", "sh", ""},
		{"ls", "busybox", ""},
		{"busybox", "sh", ""},
	} {
		file, err := Access{Programs: []string{"other program", c.entry}}.Program(c.asked)
		if c.file == "" {
			var refused *AccessError
			require.ErrorAs(t, err, &refused, c.asked)
			assert.Equal(t, AccessError{Op: "run", What: c.asked, Field: "Programs"}, *refused)
			continue
		}
		require.NoError(t, err, c.asked)
		assert.Equal(t, filepath.Join(dir, c.file), file)
	}
	file, err := Access{Programs: []string{filepath.Join(link, "tool")}}.Program("tool")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(link, "tool"), file, "the name from Programs, which the guest cannot change")
}

// A guest that can write to a directory cannot make a name there lead to a program.
func TestALinkOfTheGuestToAProgramIsAnotherProgram(t *testing.T) {
	dir, _ := programs(t, "tool")
	own := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(dir, "tool"), filepath.Join(own, "tool")))
	require.NoError(t, os.Symlink(dir, filepath.Join(own, "bin")))
	_, err := Access{Programs: []string{"tool"}}.Program(filepath.Join(own, "tool"))
	assert.ErrorAs(t, err, new(*AccessError))
	file, err := Access{Programs: []string{"tool"}}.Program(filepath.Join(own, "bin", "tool"))
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "tool"), file)
}

func TestAnAllowedProgramThatDoesNotExistIsReported(t *testing.T) {
	programs(t)
	_, err := Access{Programs: []string{"tool"}}.Program("tool")
	assert.ErrorIs(t, err, exec.ErrNotFound)
	_, err = Process().Program("tool")
	assert.ErrorIs(t, err, exec.ErrNotFound)
}

func TestTheZeroAccessRunsNoProgram(t *testing.T) {
	dir, _ := programs(t, "tool")
	for _, name := range []string{"tool", filepath.Join(dir, "tool"), "/bin/sh", "sh"} {
		_, err := Access{}.Program(name)
		assert.ErrorAs(t, err, new(*AccessError), name)
	}
	file, err := Process().Program("tool")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "tool"), file)
}
