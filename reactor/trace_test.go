package reactor_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/spec/replay"
	"github.com/selvage-dev/selvage/trace"
)

func TestTheTraceOfAParallelRunFollowsTheSpecification(t *testing.T) {
	for _, cfg := range []reactor.Config{{}, {Workers: 1}, {Workers: 4}, {Workers: 4, Ordered: true}} {
		var text bytes.Buffer
		w := trace.New(&text, &cfg.Config)
		journal(t, cfg)
		require.NoError(t, w.Close())
		lent := strings.Count(text.String(), `"says":"lent"`)
		assert.Equal(t, lent, strings.Count(text.String(), `"says":"recalled"`))
		assert.Greater(t, lent, 100)
		report, err := replay.Check(&text)
		require.NoError(t, err, "%+v", report)
	}
}
