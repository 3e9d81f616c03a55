package client_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestTheIslandsAreThoseOfTheProgram(t *testing.T) {
	closed := scheduler.New[int](scheduler.Config{})
	closed.Close()
	c := dial(t, serve(t, inspect.Config{Islands: func() []inspect.Scheduler {
		return []inspect.Scheduler{{Name: "closed", Core: &closed.Core}}
	}}).url, client.Options{})
	s, err := c.Islands(t.Context())
	require.NoError(t, err)
	require.Equal(t, []inspect.Part{{Name: "closed", Missing: scheduler.ErrStopped.Error()}}, s.Parts)
	none, err := dial(t, serve(t, inspect.Config{}).url, client.Options{}).Islands(t.Context())
	require.NoError(t, err)
	require.Empty(t, none.Parts)
}
