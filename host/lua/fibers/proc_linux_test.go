package fibers

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// withoutTerminal makes the standard input a file: with a terminal, the children of a shell outlive it.
func withoutTerminal(t *testing.T) {
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	stdin := os.Stdin
	os.Stdin = null
	t.Cleanup(func() {
		os.Stdin = stdin
		require.NoError(t, null.Close())
	})
}

// A child of the shell holds one end of a named pipe for as long as it runs: a read of the other end
// ends when the child has ended.
func TestWhatACancelledShellHasStartedEndsWithIt(t *testing.T) {
	for name, started := range map[string]string{
		"os.execute":               `fiber.spawn(os.execute, command)`,
		"a process that is closed": `fiber.spawn(function() io.popen(command):close() end)`,
	} {
		for _, budget := range budgets() {
			t.Run(fmt.Sprint(name, " ", budget), func(t *testing.T) {
				withoutTerminal(t)
				s := set(t, real(budget))
				path := filepath.Join(t.TempDir(), "pipe")
				require.NoError(t, syscall.Mkfifo(path, 0o600))
				s.State().Base().SetGlobal("path", lstring(path))
				s.play(`
					command = "(echo up; exec sleep 20) >" .. path .. " & wait"
					local shell = ` + started + `
					local f = io.open(path)
					print(f:read())
					repeat fiber.sleep(0.001) until shell:status() == "blocked"
					shell:cancel("enough")
					print(shell:join())
					print(f:read("*a"))`)
				require.Equal(t, "up\nfalse\tcancelled: enough\n\n", s.printed())
			})
		}
	}
}

// The program has not waited for the process.
func TestWhatAProcessHasStartedEndsWithTheHost(t *testing.T) {
	withoutTerminal(t)
	s := set(t, real(0))
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	s.State().Base().SetGlobal("path", lstring(path))
	s.play(`
		io.popen("(echo up; exec sleep 20) >" .. path .. " & wait")
		f = io.open(path)
		print(f:read())`)
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0) // the child writes still
	require.NoError(t, err)
	defer func() { require.NoError(t, syscall.Close(fd)) }()
	s.Close()
	n, err := syscall.Read(fd, make([]byte, 1))
	require.NoError(t, err)
	require.Zero(t, n)
}
