package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
)

// The others go on when the depth-first search, which comes first, has run the schedules that it covers.
func TestAMixedSearchGoesOnWhenItsDepthFirstPartIsComplete(t *testing.T) {
	require.Equal(t, 100, find(t, independent(2, 2), explore.Options{Strategy: explore.Mixed(1), Runs: 100}).Runs)
	require.NotNil(t, find(t, alternating(3, 6), explore.Options{Strategy: explore.Mixed(1)}).Finding)
}
