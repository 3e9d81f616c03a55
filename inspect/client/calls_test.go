package client_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

func TestTheSummaryIsThatOfTheProgram(t *testing.T) {
	s, err := dial(t, serve(t, inspect.Config{}).url, client.Options{}).Summary(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{"bank.x", inspect.Running, 3, 3, 0, false}, []any{s.Program, s.Verdict, s.Fibers, s.Blocked, s.Active, s.Control})
}

func TestAListIsSearchedSortedAndPagedByTheInspector(t *testing.T) {
	c := dial(t, serve(t, inspect.Config{}).url, client.Options{})
	for _, test := range []struct {
		query   client.Query
		matched int
		want    []string
	}{
		{client.Query{}, 3, []string{"f0.1", "f1.1", "f2.1"}},
		{client.Query{Search: "BO"}, 1, []string{"f1.1"}},
		{client.Query{Sort: "name", Descending: true, Search: "bank.x"}, 3, []string{"f1.1", "f0.1", "f2.1"}},
		{client.Query{Descending: true, Offset: 1, Limit: 1}, 3, []string{"f1.1"}},
		{client.Query{State: "runnable"}, 0, nil},
		{client.Query{Reason: "queue", State: "blocked", Limit: 2}, 3, []string{"f0.1", "f1.1"}},
	} {
		l, err := c.Fibers(t.Context(), test.query)
		require.NoError(t, err)
		var ids []string
		for _, f := range l.Fibers {
			ids = append(ids, f.ID)
		}
		require.Equal(t, test.want, ids, "%+v", test.query)
		require.Equal(t, test.matched, l.Matched)
	}
	_, err := c.Fibers(t.Context(), client.Query{Sort: "color"})
	require.ErrorContains(t, err, `sort "color": want one of id, name`)
}

func TestOneFiberTellsWhatItWaitsOnAndTheHolder(t *testing.T) {
	c := dial(t, serve(t, inspect.Config{}).url, client.Options{})
	d, err := c.Fiber(t.Context(), "f0.1")
	require.NoError(t, err)
	require.Equal(t, "alice", d.Name)
	require.Equal(t, []inspect.Peer{{ID: "f1.1", Name: "bob"}}, d.On[0].Holders)
	require.Equal(t, "bob", d.Waiters[0].Name)
	gone, err := c.Fiber(t.Context(), "f77.1")
	require.NoError(t, err)
	require.Equal(t, "dead", gone.State)
	for _, bad := range []string{"", "x", "../../summary", "f0.1/kill"} {
		_, err := c.Fiber(t.Context(), bad)
		require.Error(t, err, bad)
	}
}

func TestTheGraphHasTheCycleOfADeadlock(t *testing.T) {
	c := dial(t, serve(t, inspect.Config{}).url, client.Options{})
	g, err := c.Graph(t.Context(), "", 0)
	require.NoError(t, err)
	require.Equal(t, []string{"f0.1", "f1.1"}, g.Cycle)
	part, err := c.Graph(t.Context(), "f2.1", 10)
	require.NoError(t, err)
	require.Len(t, part.Nodes, 2, "the fiber and its channel")
}

func TestControlNeedsThePermissionOfTheInspector(t *testing.T) {
	c := dial(t, serve(t, inspect.Config{Control: true}).url, client.Options{})
	paused := func() bool {
		l, err := c.Fibers(t.Context(), client.Query{})
		require.NoError(t, err)
		return l.Fibers[0].Paused
	}
	require.NoError(t, c.Control(t.Context(), "f0.1", client.Pause))
	require.True(t, paused())
	require.NoError(t, c.Control(t.Context(), "f0.1", client.Resume))
	require.False(t, paused())
	require.NoError(t, c.Control(t.Context(), "f0.1", client.Cancel))
	require.NoError(t, c.Control(t.Context(), "f1.1", client.Kill))
	var refused *client.Error
	require.ErrorAs(t, c.Control(t.Context(), "f1.7", client.Kill), &refused)
	require.Equal(t, http.StatusNotFound, refused.Status)

	err := dial(t, serve(t, inspect.Config{}).url, client.Options{}).Control(t.Context(), "f0.1", client.Cancel)
	require.ErrorContains(t, err, "--inspect-control")
	require.True(t, client.Final(err))
}
