package client_test

import (
	"cmp"
	"net"
	"net/http"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

// answer is a server that says the same to each request.
func answer(status int, form, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", form)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}
}

func TestAServerThatIsNoInspectorIsNamed(t *testing.T) {
	const form = "application/json"
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"a web site":        {answer(200, "text/html", "<p>"), `is no inspector of Selvage: it answers 200 OK with "text/html"; give the address that selvage run --inspect has printed`},
		"another API":       {answer(200, form, "{}"), "its answer has no version"},
		"a later inspector": {answer(200, form, `{"version":2}`), "it has version 2 of the JSON, and this is 1"},
		"half an answer":    {answer(200, form, `{"version":1,`), "not the JSON of an inspector"},
		"a list":            {answer(200, form, `[]`), "not the JSON of an inspector"},
		"a wrong number":    {answer(200, form, `{"version":1,"fibers":1e300}`), "not the JSON of an inspector"},
		"no error text":     {answer(404, form, `{}`), "it answers 404"},
		"a page not found":  {answer(404, "text/plain", `no`), "it answers 404"},
		"a redirection":     {http.RedirectHandler("http://192.0.2.1/", http.StatusFound).ServeHTTP, "it answers 302 Found"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := dial(t, foreign(t, test.answer), client.Options{Token: token}).Summary(t.Context())
			require.ErrorContains(t, err, test.want)
			require.ErrorIs(t, err, client.ErrNoInspector)
			require.True(t, client.Final(err))
		})
	}
}

func TestAnAnswerThatIsTooLargeSaysWhatToAskForInstead(t *testing.T) {
	const form = "application/json"
	c := dial(t, foreign(t, answer(200, form, strings.Repeat(" ", 17<<20))), client.Options{})
	for want, ask := range map[string]func() error{
		"fewer fibers, by a smaller limit or a search": func() error { _, err := c.Fibers(t.Context(), client.Query{}); return err },
		"fewer nodes, by a smaller limit or around":    func() error { _, err := c.Graph(t.Context(), "", 0); return err },
		"the list of fibers, part by part":             func() error { _, err := c.Islands(t.Context()); return err },
	} {
		err := ask()
		require.ErrorContains(t, err, "the answer of the inspector at "+c.Host()+" is too large: it has more than 16777216 bytes; ask for "+want)
		tooLarge(t, err)
	}
	c = dial(t, foreign(t, script("data: "+strings.Repeat(" ", 17<<20)+"\n")), client.Options{Retry: 1})
	first := error(nil)
	_ = c.Follow(t.Context(), func(e client.Event) { first = cmp.Or(first, e.(client.Lost).Err) }) // the second is refused
	tooLarge(t, first)
}

// tooLarge checks that an error is that of a large answer, not of a server that is no inspector.
func tooLarge(t *testing.T, err error) {
	require.ErrorIs(t, err, client.ErrTooLarge)
	require.NotErrorIs(t, err, client.ErrNoInspector)
	require.False(t, client.Final(err))
}

func TestARefusalIsToldWithoutControlSequences(t *testing.T) {
	for status, want := range map[int]string{403: "does not allow it: ", 503: "does not answer: ", 409: ""} {
		_, err := dial(t, foreign(t, answer(status, "application/json", `{"error":"no \u001b[2Jway\n"}`)), client.Options{}).Summary(t.Context())
		require.ErrorContains(t, err, want+"no \uFFFD[2Jway ")
		require.Equal(t, status != 503, client.Final(err))
	}
}

func TestAServerThatIsNotThereIsNamedWithTheFlag(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	host := l.Addr().String()
	require.NoError(t, l.Close())
	_, err = dial(t, host+"/?token="+token, client.Options{}).Summary(t.Context())
	require.ErrorContains(t, err, "cannot reach the inspector at "+host+": ")
	require.Equal(t, 2, strings.Count(err.Error(), host), "said once, and in the flag")
	require.ErrorContains(t, err, "refused; is the program still running, with --inspect "+host+"?")
	require.NotContains(t, err.Error(), token)
	require.False(t, client.Final(err))
}

func TestAServerThatKeepsSilentIsGivenUp(t *testing.T) {
	silent := foreign(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, err := dial(t, silent, client.Options{Timeout: 1}).Summary(t.Context())
	require.ErrorContains(t, err, "has not answered in 1ns")
}

// The names of fibers are as the program has given them; Printable makes them harmless.
func TestNamesArriveAsTheyAreAndArePrintedHarmless(t *testing.T) {
	l, err := dial(t, serve(t, inspect.Config{}).url, client.Options{}).Fibers(t.Context(), client.Query{Search: "f2."})
	require.NoError(t, err)
	require.Contains(t, l.Fibers[0].Name, "\x1b]0;owned\x07")
	require.Equal(t, "\uFFFD]0;owned\uFFFD\uFFFD\uFFFD31mname  ", client.Printable(hostile))
}

func TestPrintableTextHasNeitherControlsNorMarksOfDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		got := client.Printable(text)
		require.True(t, utf8.ValidString(got))
		require.False(t, strings.ContainsFunc(got, func(r rune) bool { return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) }), "%q", got)
		require.Equal(t, utf8.RuneCountInString(text), utf8.RuneCountInString(got))
		require.Equal(t, got, client.Printable(got))
	})
}
