package top

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/inspect/client"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

func TestOnceIsPlainText(t *testing.T) {
	for limit, want := range map[int]string{
		2: `demo: running
3 fibers  3 active  0 blocked  0 native calls
per second: 0 transitions  0 spawned  0 ended
ID    NAME     STATE     REASON  TIMEOUT  WAITS ON  SITE
f0.1  alice    runnable
f1.1  bob` + "\uFFFD" + `[2J  runnable
… and 1 more; --limit shows up to 500
`,
		0: `demo: running
3 fibers  3 active  0 blocked  0 native calls
per second: 0 transitions  0 spawned  0 ended
`,
	} {
		var out bytes.Buffer
		require.NoError(t, Once(t.Context(), serve(t, 3, "0123456789abcdef").client, limit, &out))
		require.Equal(t, want, out.String())
	}
}

// The list has a row for each native call; the number of fibers has not.
func TestOnceCountsTheRowsOfNativeCalls(t *testing.T) {
	calling := func(s *scheduler.Scheduler[int]) {
		s.ScheduleNext()
		s.Claim()
		_, err := s.AcquireTrampoline()
		require.NoError(t, err)
		messages := new(wait.Chan[int])
		require.NoError(t, messages.ParkRecv(s.Arm(fiber.OnQueue(), messages.Source()), 0))
		s.Block()
	}
	for limit, want := range map[int]string{2: "… and 1 more; --limit shows up to 500\n", 3: ""} {
		var out bytes.Buffer
		require.NoError(t, Once(t.Context(), serve(t, 2, "", calling).client, limit, &out))
		require.Contains(t, out.String(), "2 fibers  1 active  1 blocked  1 native calls\n")
		_, rest, _ := strings.Cut(out.String(), "… ")
		require.Equal(t, strings.TrimPrefix(want, "… "), rest, out.String())
	}
}

func TestOnceWithoutAServerWritesNothing(t *testing.T) {
	c, err := client.New("127.0.0.1:1", client.Options{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.ErrorContains(t, Once(t.Context(), c, 5, &out), "cannot reach")
	require.Empty(t, out.String())
}
