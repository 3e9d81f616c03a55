package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
)

// Whatever the text is, it is a schedule whose text is the same again, or an error that says what to do.
func FuzzParseSchedule(f *testing.F) {
	for _, seed := range []string{"", "aeaaaaaa", "aeaaaaaabaaq", "AEAAAAAA", "aeaaaaaa77777777", "this is no schedule", "ceaaaaaa"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := explore.ParseSchedule(text)
		if err != nil {
			require.ErrorContains(t, err, "is not a schedule")
			return
		}
		again, err := explore.ParseSchedule(s.String())
		require.NoError(t, err)
		require.Equal(t, s, again)
	})
}

func TestAScheduleOfAnotherProgramIsRefused(t *testing.T) {
	r := find(t, counter(2), explore.Options{Program: explore.Hash([]byte("one"))})
	require.NotNil(t, r.Finding)
	require.NoError(t, r.Finding.Schedule.Fits(explore.Hash([]byte("one"))))
	require.ErrorContains(t, r.Finding.Schedule.Fits(explore.Hash([]byte("two"))), "belongs to another program")
}
