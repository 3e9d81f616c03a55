package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
)

func TestTheProgressSaysWhatIsCovered(t *testing.T) {
	require.Equal(t, "different endings: 3", covered(explore.Progress{Covered: -1, Endings: 3}))
	require.Equal(t, "about 25% of the schedules; different endings: 1", covered(explore.Progress{Covered: 0.25, Endings: 1}))
	require.Equal(t, "about 0.0025% of the schedules; different endings: 1", covered(explore.Progress{Covered: 0.000025, Endings: 1}))
	require.Equal(t, "about 100% of the schedules; different endings: 1", covered(explore.Progress{Covered: 1, Endings: 1}))
}
