package top

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect/client"
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

func TestOnceWithoutAServerWritesNothing(t *testing.T) {
	c, err := client.New("127.0.0.1:1", client.Options{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.ErrorContains(t, Once(t.Context(), c, 5, &out), "cannot reach")
	require.Empty(t, out.String())
}
