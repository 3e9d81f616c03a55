package pattern_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/gopher-lua/pm"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/lua/internal/pattern"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// metered is a Meter with time slices of n steps; ended counts those that have ended.
func metered(n int64) (m *vm.Meter, ended *int64) {
	ended = new(int64)
	m = vm.New(vm.Context, 1, func() {
		*ended++
		m.Left = n - 1
	})
	m.Left = n
	return m, ended
}

// all are the first matches of a pattern, each with its captures, or the error.
func all(m *vm.Meter, p, text string, from, most int) string {
	parsed, err := pattern.Parse(m, p)
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	s := pattern.NewSearch(m, parsed, text, from)
	for range most {
		found, err := s.Next()
		if err != nil {
			return err.Error()
		}
		if !found {
			break
		}
		fmt.Fprintf(&out, "[%d %d", s.Start, s.End)
		for _, c := range s.Captures {
			if c.Position {
				fmt.Fprintf(&out, " @%d", c.Start+1)
			} else {
				fmt.Fprintf(&out, " %q", text[c.Start:c.End])
			}
		}
		out.WriteString("]")
	}
	return out.String()
}

// ofGopherLua is what all returns, by gopher-lua's own matcher. ok is false where it fails with an error
// of Go.
func ofGopherLua(p, text string, from, most int) (result string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	found, err := pm.Find(p, []byte(text), from, most)
	if err != nil {
		return err.Error(), true
	}
	var out strings.Builder
	for _, m := range found {
		fmt.Fprintf(&out, "[%d %d", m.Capture(0), m.Capture(1))
		for i := 2; i < m.CaptureLength(); i += 2 {
			if m.IsPosCapture(i) {
				fmt.Fprintf(&out, " @%d", m.Capture(i))
			} else {
				fmt.Fprintf(&out, " %q", text[m.Capture(i):m.Capture(i+1)])
			}
		}
		out.WriteString("]")
	}
	return out.String(), true
}

var pieces = []string{
	"a", "b", "c", ".", "*", "+", "-", "?", "^", "$", "(", ")", "()", "[", "]", "[^", "%", "%%", "%a", "%A", "%d", "%s", "%S", "%w", "%p",
	"%b()", "%bab", "%b", "%1", "%2", "%0", "%f", "%.", "%-", "a*", "b-", "c+", "a?", "[a-c]", "[^b]", "[%a-]", "[]a]", "[a-", "(a*)", "(b", "z", "%z", "%x", "%c", "1",
}

// Every pattern has the matches, the captures and the errors that it has in gopher-lua.
func TestAPatternMatchesWhatItMatchesInGopherLua(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pattern"), "")
		if rapid.IntRange(0, 9).Draw(t, "any") == 0 {
			p = string(rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "bytes"))
		}
		text := string(rapid.SliceOfN(rapid.SampledFrom([]byte("aaabbc()1 -\x00\xff")), 0, 12).Draw(t, "text"))
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		most := rapid.SampledFrom([]int{1, 2, 1000}).Draw(t, "most")
		m, _ := metered(rapid.SampledFrom([]int64{1, 3, 10_000}).Draw(t, "slice"))
		want, ok := ofGopherLua(p, text, from, most)
		if got := all(m, p, text, from, most); ok {
			require.Equal(t, want, got, "%q in %q", p, text)
		} else if !strings.Contains(p, "()") { // behind the end of the text gopher-lua fails in Go
			require.Equal(t, "invalid capture index", got, "%q in %q", p, text)
		}
	})
}

// The examples and the descriptions of the reference manual, 5.4.1.
func TestThePatternsOfTheReferenceManual(t *testing.T) {
	for _, c := range [][3]string{
		{"x", "xyx", `[0 1][2 3]`},
		{".", "a\n", `[0 1][1 2]`},
		{"%a+", "ab1C", `[0 2][3 4]`},
		{"%c", "a\x01\x7f", `[1 2][2 3]`},
		{"%d", "a1", `[1 2]`},
		{"%l", "Ab", `[1 2]`},
		{"%p", "a.!", `[1 2][2 3]`},
		{"%s", "a \t\n\v\f\r", `[1 2][2 3][3 4][4 5][5 6][6 7]`},
		{"%u", "aB", `[1 2]`},
		{"%w+", "a1_b", `[0 2][3 4]`},
		{"%x+", "xfF0g", `[1 4]`},
		{"%z", "a\x00", `[1 2]`},
		{"%%", "a%", `[1 2]`},
		{"[%w_]+", "-a_1-", `[1 4]`},
		{"[0-7]+", "0789", `[0 2]`},
		{"[0-7%l%-]+", "07a-A", `[0 4]`},
		{"[^%s]+", "ab c", `[0 2][3 4]`},
		{"%S+", "ab c", `[0 2][3 4]`},
		{"a*", "aab", `[0 2][2 2][3 3]`},
		{"a+", "aab", `[0 2]`},
		{"a-b", "aab", `[0 3]`},
		{"a?b", "aab", `[1 3]`},
		{"(a*(.)%w(%s*))", "ab1  x", `[0 5 "ab1  " "b" "  "]`},
		{"()aa()", "flaaap", `[2 4 @3 @5]`},
		{"%b()", "f(a(b)c)d(", `[1 8]`},
		{"(['\"])(.-)%1", `a "b'c"`, `[2 7 "\"" "b'c"]`},
		{"^a", "aa", `[0 1]`},
		{"a$", "aa", `[1 2]`},
		{"a^", "a^", `[0 2]`},
		{"$a", "$a", `[0 2]`},
		{"", "ab", `[0 0][1 1][2 2]`},
	} {
		m, _ := metered(1)
		require.Equal(t, c[2], all(m, c[0], c[1], 0, math.MaxInt), c[0])
	}
}
