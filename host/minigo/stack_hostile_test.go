package minigo_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/minigo"
)

// shownValues are expressions, and the text that a stack has for their values.
var shownValues = []struct{ expression, want string }{
	{`bad{1}`, `{n:1}`},
	{`fmt.Stringer(bad{1})`, `main.bad({n:1})`},
	{`error(&fails{2})`, `*main.fails(&{n:2})`},
	{`strings.Repeat("x", 1000000)`, `"` + strings.Repeat("x", frame.MaxText-3) + `"…`},
	{`strings.Repeat("\xff", 1000)`, `"` + strings.Repeat(`\xff`, (frame.MaxText-3)/4) + `"…`},
	{`[]string{"\xff", "a\x00\n€"}`, `["\xff" "a\x00\n€"]`},
	{`make([]int, 1000000)`, `[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 …]`},
	{`[1000]bad{}`, `[{n:0} {n:0} {n:0} {n:0} {n:0} {n:0} {n:0} {n:0} {n:0} {n:0} {n:0} {n:0} {n:0} {n:0} {n:0} {n:0} …]`},
	{`make([]struct{}, 1<<40)`, `[{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} …]`},
	{`cyclic()`, `&{next:*main.node self:main.node({…})}`},
	{`big(100000, 0)`, `map[0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8 9:9 10:10 11:11 12:12 13:13 14:14 15:15 …]`},
	{`big(1000, 400)`, `map[…]`},
	{`[]any{nil, 1, "s", 2.5, []int{1}, bad{3}, [][][]int{{{1}}}}`, `[<nil> int(1) string("s") float64(2.5) []int([1]) main.bad({n:3}) [][][]int([[…]])]`},
	{`struct{ f func(); c chan<- int; p *int; m map[string]int }{}`, `{f:<nil> c:<nil> p:<nil> m:<nil>}`},
	{`-float32(0.1)`, `-0.1`},
	{`uint64(1<<64 - 1)`, `18446744073709551615`},
}

const shownTypes = `
import ("fmt"; "host/probe"; "strings")
var _ = strings.Repeat
type bad struct{ n int }
func (bad) String() string { panic("called") }
type fails struct{ n int }
func (*fails) Error() string { panic("called") }
type node struct { next *node; self any }
func cyclic() *node { n := &node{}; n.next = n; n.self = *n; return n }
func big(n, removed int) map[int]int {
	m := map[int]int{}
	for i := 0; i < n; i++ { m[i] = i }
	for i := 0; i < removed; i++ { delete(m, i) }
	return m
}
var _ fmt.Stringer
func main() {
	v := `

func TestAStackShowsHostileValuesAsShortText(t *testing.T) {
	for _, c := range shownValues {
		out := shown(t, "package main\n"+shownTypes+c.expression+"\n\tprobe.Show(true)\n\t_ = v\n}", minigo.Config{})
		_, value, found := strings.Cut(out, " v=")
		require.True(t, found, out)
		require.Equal(t, c.want+"\n", value, c.expression)
		require.True(t, utf8.ValidString(value))
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSpace(value)), frame.MaxText)
	}
}

func TestTheStackOfADeepRecursionHasItsEnds(t *testing.T) {
	out := shown(t, `package main
import "host/probe"
func f(n int) int {
	if n == 0 { probe.Show(true); return 0 }
	return f(n-1) + 1
}
func main() { f(100000) }`, minigo.Config{})
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, frame.MaxFrames+1)
	require.Equal(t, "(99903 more calls)", lines[frame.MaxFrames/2])
	require.Equal(t, "main.f p.go:5 n=100000", lines[frame.MaxFrames-1])
	require.Equal(t, "main.main p.go:7", lines[frame.MaxFrames])
}

func TestAnInspectedProgramKeepsItsText(t *testing.T) {
	text := []byte("package main\nfunc main() {}\n")
	file := minigo.File{Name: "p.go", Text: text}
	for _, inspected := range []bool{false, true} {
		program, err := (&minigo.Library{Inspected: inspected}).Compile(file)
		require.NoError(t, err)
		host, err := minigo.New(program, minigo.Config{})
		require.NoError(t, err)
		got, ok := host.Source("p.go")
		require.Equal(t, inspected, ok)
		require.Equal(t, inspected, string(got) == string(text))
		got, ok = host.Source("sync/lock.go")
		require.True(t, ok)
		require.Contains(t, string(got), "package sync")
		for _, other := range []string{"", "sync", "../p.go", "/etc/hostname", "sync/../sync/lock.go", "other.go"} {
			_, ok = host.Source(other)
			require.False(t, ok, other)
		}
	}
}
