package top

import (
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect/client"
)

// begin starts a loader, whose messages the test takes one by one.
func begin(t *testing.T, p *program, interval time.Duration) (*loader, chan tea.Msg) {
	l, messages := newLoader(p.client, interval), make(chan tea.Msg)
	l.start(t.Context(), func(m tea.Msg) {
		select {
		case messages <- m:
		case <-t.Context().Done():
		}
	})
	t.Cleanup(l.stop)
	return l, messages
}

// until takes messages until there is one that is wanted.
func until[T any](messages chan tea.Msg, wanted func(T) bool) T {
	for {
		if m, ok := (<-messages).(T); ok && wanted(m) {
			return m
		}
	}
}

func all[T any](T) bool { return true }

func TestTheLoaderAnswersWhatTheScreenNeeds(t *testing.T) {
	l, messages := begin(t, serve(t, 1000, ""), time.Hour)
	for _, w := range []want{{query: client.Query{Offset: 990, Limit: 20}}, {screen: fiberScreen, id: "f7.1"}, {screen: graphScreen}, {screen: fiberScreen, id: "x"}} {
		l.ask(w)
		g := until(messages, all[got])
		require.Equal(t, w, g.want)
		require.Equal(t, []bool{w.screen == listScreen, w.screen == fiberScreen && w.id != "x", w.screen == graphScreen, w.id == "x"},
			[]bool{g.list != nil && len(g.list.Fibers) == 10, g.fiber != nil && g.err == nil, g.graph != nil, g.err != nil})
	}
}

func TestTheLoaderRepeatsTheNewestWant(t *testing.T) {
	l, messages := begin(t, serve(t, 3, ""), time.Millisecond)
	l.ask(want{screen: graphScreen})
	for range 3 {
		require.Equal(t, graphScreen, until(messages, func(g got) bool { return g.want.screen == graphScreen }).want.screen)
	}
}

func TestTheLoaderControlsFibers(t *testing.T) {
	l, messages := begin(t, serve(t, 3, ""), time.Hour)
	l.ask(want{query: client.Query{Limit: 5}})
	until(messages, all[got])
	l.do(deed{client.Pause, "f1.1"})
	require.NoError(t, until(messages, all[did]).err)
	require.True(t, until(messages, all[got]).list.Fibers[1].Paused, "what is shown is asked for again")
	l.do(deed{client.Kill, "f1.9"})
	require.Error(t, until(messages, all[did]).err)
}

func TestTheLoaderTellsTheVerdictAndTheEnd(t *testing.T) {
	p := serve(t, 3, "")
	_, messages := begin(t, p, time.Hour)
	until(messages, all[client.Summarized])
	p.handler.End("deadlock", "text")
	require.Equal(t, "deadlock", until(messages, all[client.Ended]).Verdict)
	p.handler.Close()
	require.NoError(t, until(messages, all[over]).err)
}

func TestTheLoaderTellsThatTheServerIsGone(t *testing.T) {
	server := httptest.NewServer(serve(t, 3, "").handler)
	t.Cleanup(server.Close)
	c, err := client.New(server.URL, client.Options{Retry: time.Millisecond})
	require.NoError(t, err)
	_, messages := begin(t, &program{client: c}, time.Hour)
	until(messages, all[client.Summarized])
	require.NoError(t, server.Listener.Close())
	server.CloseClientConnections() // as a process that dies: the last event is missing
	for range 2 {                   // the connection, and the next one
		gone := until(messages, all[client.Lost])
		require.ErrorContains(t, gone.Err, "cannot reach the inspector at "+c.Host())
		require.False(t, client.Final(gone.Err))
	}
}

func TestTheLoaderTellsThatThereIsNoServer(t *testing.T) {
	lost, err := client.New("127.0.0.1:1", client.Options{Retry: time.Millisecond})
	require.NoError(t, err)
	_, others := begin(t, &program{client: lost}, time.Hour)
	require.ErrorContains(t, until(others, all[client.Lost]).Err, "cannot reach the inspector at 127.0.0.1:1")
	require.False(t, errors.Is(until(others, all[client.Lost]).Err, client.ErrNoInspector))
}
