package client_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

func TestTheEventsTellTheStateTheVerdictAndTheEnd(t *testing.T) {
	w := serve(t, inspect.Config{})
	var verdicts []string
	err := dial(t, w.url, client.Options{}).Follow(t.Context(), func(e client.Event) {
		switch e := e.(type) {
		case client.Summarized:
			if len(verdicts) == 0 {
				require.Equal(t, inspect.Running, e.Summary.Verdict)
				verdicts = append(verdicts, e.Summary.Verdict)
				w.handler.End("deadlock", "two lines\nof text")
			}
		case client.Ended:
			verdicts = append(verdicts, e.Verdict, e.Error)
			w.handler.Close()
		default:
			require.Fail(t, "another event", "%#v", e)
		}
	})
	require.NoError(t, err)
	require.Equal(t, []string{inspect.Running, "deadlock", "two lines\nof text"}, verdicts)
}

// script is a server whose streams have these texts, one after another, and then refuses.
func script(texts ...string) http.HandlerFunc {
	streams := make(chan string, len(texts))
	for _, text := range texts {
		streams <- text
	}
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case text := <-streams:
			answer(200, "text/event-stream", text)(w, r)
		default:
			answer(403, "application/json", `{"error":"enough"}`)(w, r)
		}
	}
}

func TestALostConnectionIsMadeAgainAfterALongerTimeEach(t *testing.T) {
	const summary = "event: summary\ndata: {\"version\":1}\n\n"
	url := foreign(t, script("", "", ": still here\n", summary, "event: unanswered\ndata: {\"error\":\"busy\"}\n\nevent: later\ndata: x\n\n", ""))
	var waits []int64
	var told []string
	err := dial(t, url, client.Options{Retry: 1}).Follow(t.Context(), func(e client.Event) {
		switch e := e.(type) {
		case client.Lost:
			waits = append(waits, int64(e.Retry))
			require.ErrorContains(t, e.Err, "cannot reach the inspector")
		case client.Summarized:
			told = append(told, "summary")
		case client.Unanswered:
			told = append(told, e.Text)
		}
	})
	require.ErrorContains(t, err, "enough", "a refusal is final")
	require.Equal(t, []int64{1, 2, 4, 1, 1, 2}, waits, "an event shortens the wait again")
	require.Equal(t, []string{"summary", "busy"}, told)
}

func TestEventsOfAStrangerAreRefused(t *testing.T) {
	for _, text := range []string{"event: summary\ndata: {}\n\n", "event: summary\ndata: {\n\n", "event: verdict\ndata: 1\n\n", "event: unanswered\ndata: -\n\n"} {
		err := dial(t, foreign(t, script(text)), client.Options{}).Follow(t.Context(), func(client.Event) {})
		require.ErrorIs(t, err, client.ErrNoInspector, text)
	}
}

func TestFollowEndsWithItsContext(t *testing.T) {
	for name, url := range map[string]string{"connected": serve(t, inspect.Config{}).url, "waiting": foreign(t, script("", ""))} {
		ctx, cancel := context.WithCancel(t.Context())
		err := dial(t, url, client.Options{Retry: 1 << 62}).Follow(ctx, func(client.Event) { cancel() })
		require.ErrorIs(t, err, context.Canceled, name)
	}
}
