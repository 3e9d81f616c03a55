package inspect

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/internal/long"
)

// event is one of a stream.
type sentEvent struct{ name, data string }

// subscribe reads the events of a server until the stream ends.
func subscribe(t *testing.T, url string) <-chan sentEvent {
	t.Helper()
	r, err := http.NewRequestWithContext(long.Context(t), http.MethodGet, url+"/api/v1/events", nil)
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{}}
	response, err := client.Do(r)
	require.NoError(t, err)
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	events := make(chan sentEvent, 1000)
	go func() {
		defer close(events)
		defer client.CloseIdleConnections()
		defer response.Body.Close()
		var e sentEvent
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			switch name, value, _ := strings.Cut(lines.Text(), ": "); name {
			case "event":
				e.name = value
			case "data":
				e.data = value
			case "":
				events <- e
			}
		}
	}()
	return events
}

// until returns the first event of a name.
func until(t *testing.T, events <-chan sentEvent, name string) sentEvent {
	t.Helper()
	for e := range events {
		if e.name == name {
			return e
		}
	}
	t.Fatalf("the stream has ended without %s", name)
	return sentEvent{}
}

// started serves a handler on a port of loopback.
func started(t *testing.T, c Config) (h *Handler, s *Server, url string) {
	t.Helper()
	l, err := Listen("127.0.0.1:0")
	require.NoError(t, err)
	h = New(c)
	s, err = Serve(l, h)
	require.NoError(t, err)
	return h, s, strings.TrimSuffix(l.URL(""), "/")
}

func TestEventsTellTheStateAndTheVerdictAndEndWithTheServer(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	w := newWorld(t, 1, 5)
	h, server, url := started(t, patient(w))
	serve(t, h, func() {
		events := subscribe(t, url)
		var s Summary
		require.NoError(t, json.Unmarshal([]byte(until(t, events, "summary").data), &s))
		require.Equal(t, Running, s.Verdict)
		require.Equal(t, 5, s.Fibers)
		h.End("deadlock", "two lines\nof text")
		var e Ending
		require.NoError(t, json.Unmarshal([]byte(until(t, events, "verdict").data), &e))
		require.Equal(t, Ending{"deadlock", "two lines\nof text"}, e)
		server.Close()
		until(t, events, "end")
		_, more := <-events
		require.False(t, more)
	})
}

// A program that ends at once leaves its verdict to those that listen.
func TestTheVerdictArrivesBeforeTheEnd(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	w := newWorld(t, 1, 5)
	h, server, url := started(t, patient(w))
	var events <-chan sentEvent
	serve(t, h, func() {
		events = subscribe(t, url)
		until(t, events, "summary")
	})
	h.End("done", "")
	server.Close()
	require.JSONEq(t, `{"verdict":"done"}`, until(t, events, "verdict").data)
	until(t, events, "end")
}

func TestEventsSayThatTheProgramDoesNotAnswer(t *testing.T) {
	w := newWorld(t, 1, 5)
	_, server, url := started(t, Config{Core: &w.s.Core, Interval: 1, Timeout: 1})
	defer server.Close()
	events := subscribe(t, url)
	require.Contains(t, until(t, events, "unanswered").data, "has not answered")
}

func TestTheNumberOfStreamsIsBounded(t *testing.T) {
	h := New(patient(newWorld(t, 1, 1)))
	for range maxStreams {
		h.streams <- struct{}{}
	}
	status, text := refusal(t, h, request(http.MethodGet, "/api/v1/events"))
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, text, "64 clients")
}

func TestAnAddressOfOtherMachinesNeedsAToken(t *testing.T) {
	w := newWorld(t, 1, 1)
	l, err := Listen("0.0.0.0:0")
	require.NoError(t, err)
	require.False(t, l.Loopback())
	_, err = Serve(l, New(patient(w)))
	require.ErrorIs(t, err, ErrNoToken)
	_, err = l.Accept()
	require.ErrorIs(t, err, net.ErrClosed)

	l, err = Listen("0.0.0.0:0")
	require.NoError(t, err)
	c := patient(w)
	c.Token = secret
	s, err := Serve(l, New(c))
	require.NoError(t, err)
	defer s.Close()
	require.True(t, strings.HasPrefix(l.URL(secret), "http://127.0.0.1:"))
	require.True(t, strings.HasSuffix(l.URL(secret), "/?token="+secret))
}

func TestWithoutAHostTheAddressIsLoopback(t *testing.T) {
	l, err := Listen(":0")
	require.NoError(t, err)
	require.True(t, l.Loopback())
	require.NoError(t, l.Close())
	for _, bad := range []string{"", "8080", "127.0.0.1", "127.0.0.1:port", "127.0.0.1:70000"} {
		_, err := Listen(bad)
		require.Error(t, err, bad)
	}
}

// A connection beyond the limit waits until another one ends.
func TestTheNumberOfConnectionsIsBounded(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	require.NoError(t, err)
	l.slots = make(chan struct{}, 1)
	dial := func() net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		return c
	}
	defer dial().Close()
	defer dial().Close()
	first, err := l.Accept()
	require.NoError(t, err)
	second := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		if err == nil {
			err = c.Close()
		}
		second <- err
	}()
	require.Empty(t, second)
	require.NoError(t, first.Close())
	require.Error(t, first.Close(), "a second Close gives no second place back")
	require.NoError(t, <-second)
	require.NoError(t, l.Close())
	_, err = l.Accept()
	require.ErrorIs(t, err, net.ErrClosed)
}

// The page and all it loads are there, with their kinds, and load nothing from elsewhere.
func TestThePageIsWhole(t *testing.T) {
	h := New(patient(newWorld(t, 1, 1)))
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/app.js": "text/javascript; charset=utf-8", "/style.css": "text/css; charset=utf-8",
		"/icon.svg": "image/svg+xml", "/vendor/dagre.esm.js": "text/javascript; charset=utf-8", "/vendor/dagre.esm.js.LEGAL.txt": "text/plain; charset=utf-8",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request(http.MethodGet, path))
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Equal(t, kind, w.Header().Get("Content-Type"))
		require.NotContains(t, w.Body.String(), "sourceMappingURL")
	}
	entries, err := web.ReadDir("web")
	require.NoError(t, err)
	for _, e := range entries {
		text, err := web.ReadFile("web/" + e.Name())
		if e.IsDir() {
			continue
		}
		require.NoError(t, err)
		for _, forbidden := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "https://", " style=\""} {
			require.NotContains(t, string(text), forbidden, "%s", e.Name())
		}
	}
}
