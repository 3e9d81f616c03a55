//go:build unix

package fibers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/quota"
)

// What a process writes to the outputs of the program counts. The program ends when it is too much, also
// while it waits for something else than the process.
func TestTheOutputOfProcessesCountsToTheProgram(t *testing.T) {
	const endless = `while :; do echo line; done`
	for name, program := range map[string]string{
		"os.execute":   `os.execute(command)`,
		"caught":       `pcall(os.execute, command) os.execute(command)`,
		"fiber":        `fiber.spawn(os.execute, command) fiber.chan():recv()`,
		"popen":        `io.popen(command, "w"):close()`,
		"popen, stays": `local p = io.popen(command, "w") fiber.sleep(1e6)`,
		"errors":       `io.popen(command .. " >&2", "r"):read("*a")`,
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, limited(real(1000), quota.Limits{Output: 5000}))
			err := s.try("local command = " + `"` + endless + `"` + "\n" + program)
			passed(t, err, quota.Output)
			require.LessOrEqual(t, s.out.Len(), 5000)
		})
	}
	s := set(t, limited(real(1000), quota.Limits{Output: 5000}))
	s.play(`os.execute("echo six67") io.write("abc")`)
	require.Equal(t, "six67\nabc", s.out.String())
	require.EqualValues(t, 9, s.Spent().Output)
}
