package vm

import (
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo/internal/compile"
	"github.com/selvage-dev/selvage/host/minigo/internal/front"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/scheduler"
)

// hostile is a use of something that takes as long as its arguments are large.
type hostile struct{ prepare, body string }

const (
	long8M = `s := strings.Repeat("x", 1<<23); `
	many   = `list := make([]string, 1<<20); `
	ints   = `a := make([]int, 1<<20); `
)

// functions are the functions of the library that have no body in Go, with hostile arguments. Those
// whose work is bounded whatever the arguments are have none.
func functions() map[string]hostile {
	table := map[string]hostile{
		"strings.Compare":        {long8M + `u := s[1:] + "x"`, "strings.Compare(s, u)"},
		"strings.Contains":       {long8M, `strings.Contains(s, "xxy")`},
		"strings.ContainsAny":    {long8M, `strings.ContainsAny(s, "yz")`},
		"strings.ContainsRune":   {long8M, `strings.ContainsRune(s, 'y')`},
		"strings.Count":          {long8M, `strings.Count(s, "xx")`},
		"strings.EqualFold":      {long8M, `strings.EqualFold(s, strings.ToUpper(s))`},
		"strings.Fields":         {`s := strings.Repeat("x ", 1<<20)`, `strings.Fields(s)`},
		"strings.HasPrefix":      {long8M + `u := s + "y"`, `strings.HasPrefix(u, s)`},
		"strings.HasSuffix":      {long8M + `u := "y" + s`, `strings.HasSuffix(u, s)`},
		"strings.Index":          {`s := strings.Repeat("x", 1<<16); u := strings.Repeat("x", 600) + "y"`, `strings.Index(s, u)`},
		"strings.IndexAny":       {long8M, `strings.IndexAny(s, "yé")`},
		"strings.IndexByte":      {long8M, `strings.IndexByte(s, 'y')`},
		"strings.IndexRune":      {long8M, `strings.IndexRune(s, '\ufffd')`},
		"strings.Join":           {many, `strings.Join(list, "xx")`},
		"strings.LastIndex":      {long8M, `strings.LastIndex(s, "y")`},
		"strings.LastIndexAny":   {long8M, `strings.LastIndexAny(s, "yé")`},
		"strings.LastIndexByte":  {long8M, `strings.LastIndexByte(s, 'y')`},
		"strings.Replace":        {long8M, `strings.Replace(s, "xx", "y", -1)`},
		"strings.ReplaceAll":     {long8M, `strings.ReplaceAll(s, "", "y")`},
		"strings.Split":          {`s := strings.Repeat("x", 1<<20)`, `strings.Split(s, "")`},
		"strings.SplitAfter":     {`s := strings.Repeat("x", 1<<20)`, `strings.SplitAfter(s, "x")`},
		"strings.SplitAfterN":    {`s := strings.Repeat("x", 1<<20)`, `strings.SplitAfterN(s, "x", 1<<19)`},
		"strings.SplitN":         {long8M, `strings.SplitN(s, "y", 3)`},
		"strings.ToLower":        {long8M, `strings.ToLower(s)`},
		"strings.ToTitle":        {long8M, `strings.ToTitle(s)`},
		"strings.ToUpper":        {long8M, `strings.ToUpper(s)`},
		"strings.Trim":           {long8M, `strings.Trim(s, "x")`},
		"strings.TrimLeft":       {long8M, `strings.TrimLeft(s, "x")`},
		"strings.TrimPrefix":     {long8M, `strings.TrimPrefix(s, s)`},
		"strings.TrimRight":      {long8M, `strings.TrimRight(s, "xé")`},
		"strings.TrimSpace":      {`s := strings.Repeat(" ", 1<<23)`, `strings.TrimSpace(s)`},
		"strings.TrimSuffix":     {long8M, `strings.TrimSuffix(s, s)`},
		"strings.repeat":         {"", `strings.Repeat("xy", 1<<23)`},
		"strings.replace":        {`s := strings.Repeat("x", 1<<16)`, `strings.NewReplacer(s[:600]+"y", "a", "b", "").Replace(s)`},
		"strings.Builder.write":  {long8M, `var b strings.Builder; b.WriteString(s)`},
		"strings.Builder.String": {},
		"strings.Builder.Len":    {},
		"strings.Builder.Reset":  {},

		"strconv.Quote":     {long8M, `strconv.Quote(s)`},
		"strconv.unquote":   {long8M + `u := "\"" + s + "\""`, `strconv.Unquote(u)`},
		"strconv.QuoteRune": {}, "strconv.formatInt": {}, "strconv.formatUint": {},
		"strconv.formatFloat": {"", `strconv.FormatFloat(1, 'e', 1<<23, 64)`},
		"strconv.parseInt":    {}, "strconv.parseUint": {}, "strconv.parseFloat": {}, // of a text of at most a piece

		"fmt.format": {ints, `fmt.Sprint(a)`},
		"fmt.write":  {long8M, `fmt.Print(s)`},
		"host.text":  {}, "host.is": {}, // errors of the host

		"os.write": {long8M, `os.Stdout.WriteString(s)`},
		"os.Exit":  {}, "os.args": {}, "os.LookupEnv": {}, // the host has chosen them

		"errors.isComparable":  {"var deep [50_000]int; var v any = deep", `errors.Is(value{v}, value{v})`},
		"context.isComparable": {}, "errors.assign": {}, "sync/atomic.sameType": {}, "sync.fatal": {}, "sort.length": {},
		"sync.acquire": {}, "sync.release": {}, "sync.merge": {}, "sync.adding": {}, "sync.waiting": {}, // compiled only if the program is watched
		"sort.swap": {}, // of two elements
		"time.now":  {}, "time.Sleep": {}, "time.startAlarm": {}, "time.resetAlarm": {}, "time.format": {}, "time.durationString": {},
		"runtime.Goexit": {}, "runtime.NumGoroutine": {},
		"math/rand.seed": {}, "math/rand.int63": {},

		"unicode/utf8.RuneCountInString":      {long8M, `utf8.RuneCountInString(s)`},
		"unicode/utf8.ValidString":            {long8M, `utf8.ValidString(s)`},
		"unicode/utf8.DecodeRuneInString":     {},
		"unicode/utf8.DecodeLastRuneInString": {}, "unicode/utf8.RuneLen": {}, "unicode/utf8.ValidRune": {},
	}
	for name := range lib.Natives() {
		if strings.HasPrefix(name, "math.") || strings.HasPrefix(name, "unicode.") {
			table[name] = hostile{} // of numbers and characters
		}
	}
	return table
}

// operationsOf are the operations of the language that take as long as their operands are large.
func operationsOf() map[string]hostile {
	return map[string]hostile{
		"make":                 {"", "_ = make([]int, 1<<21)"},
		"make of references":   {"", "_ = make([]*int, 1<<20)"},
		"new":                  {"", "_ = new([1<<21]int)"},
		"array":                {"var x, y [50_000]int; p := &x", "for range 100 { y = *p; p = &y }"},
		"range over an array":  {"x := new([1<<20]int)", "for i, v := range *x { if i+v == 0 { break } }"},
		"copy":                 {ints + "b := make([]int, 1<<20)", "copy(a, b)"},
		"overlapping copy":     {ints, "copy(a[1:], a)"},
		"copy of a string":     {long8M + "b := make([]byte, 1<<23)", "copy(b, s)"},
		"clear":                {ints, "clear(a)"},
		"append":               {ints, "_ = append(a, 1)"},
		"append of a slice":    {ints, "_ = append(a[:0:0], a...)"},
		"append of a string":   {long8M, "_ = append([]byte{}, s...)"},
		"concatenation":        {long8M, `_ = s + "x"`},
		"bytes":                {long8M, "_ = []byte(s)"},
		"string of bytes":      {"b := make([]byte, 1<<23)", "_ = string(b)"},
		"runes":                {long8M, "_ = []rune(s)"},
		"string of runes":      {"b := make([]rune, 1<<20)", "_ = string(b)"},
		"equality of strings":  {long8M + `u := s[1:] + "x"`, "println(s == u)"},
		"order of strings":     {long8M + `u := s + "x"`, "println(s < u)"},
		"equality of values":   {"var x [20_000]int; y := x", "println(x == y)"},
		"equality of any":      {"var x [50_000]int; v, w := any(x), any(x)", "println(v == w)"},
		"long key":             {long8M + "m := map[string]int{}", "m[s]++"},
		"key of many parts":    {"var x [50_000]int; v := any(x); m := map[any]int{}", "m[v]++"},
		"gaps of a map":        {"m := map[int]int{}; for i := range 800_000 { m[i] = i }; for i := range 399_000 { delete(m, i) }", "for range 9 { for range m { break } }"},
		"a map is printed":     {"m := map[int]int{}; for i := range 100_000 { m[i] = i }", "_ = fmt.Sprint(m)"},
		"a text is formatted":  {long8M, `_ = fmt.Sprintf("%q %x %-9000000s|%#q", s, s, s, s)`},
		"widths":               {"", `_ = fmt.Sprintf(strings.Repeat("%900000d", 20), 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2)`},
		"a panic is described": {"", "panic(describes{})"},
	}
}

const workHeader = `package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

type value struct{ v any }

func (value) Error() string { return "" }

type describes struct{}

func (describes) Error() string { return strings.ToUpper(strings.Repeat("x", 1<<23))[:1] }

var _, _, _, _, _, _ = errors.New, fmt.Sprint, os.Exit, strconv.Itoa, strings.Index, utf8.RuneLen

func main() {
`

// stepsOf runs a program and returns how many steps it takes, and the most that a slice takes.
func stepsOf(t *testing.T, body string, budget int) (all, most int64) {
	t.Helper()
	checked, err := front.Check([]front.Source{{Name: "work.go", Text: []byte(workHeader + body + "\n}\n")}}, lib.Source, nil)
	require.NoError(t, err, body)
	prog, err := compile.Program(checked, compile.Options{})
	require.NoError(t, err)
	var m *Machine
	var last int64
	cfg := Config{Stdout: io.Discard, Stderr: io.Discard, MaxDepth: 1000, MaxStack: 1 << 20, JIT: JITOff}
	cfg.Scheduler = scheduler.Config{Budget: budget, Observer: func(scheduler.Transition) {
		now := unlimited - m.left - int64(m.budget+m.rest)
		most = max(most, now-last)
		last = now
	}}
	m, err = New(prog, cfg)
	require.NoError(t, err)
	if err = m.Run(t.Context()); err != nil {
		require.Contains(t, err.Error(), "panic: ", body)
	}
	return m.Spent().Steps, most
}

// TestEachFunctionOfTheLibraryHasARow: a new native function needs one.
func TestEachFunctionOfTheLibraryHasARow(t *testing.T) {
	require.Equal(t, slices.Sorted(maps.Keys(lib.Natives())), slices.Sorted(maps.Keys(functions())))
}

// TestNothingDoesMoreThanABudgetOfWorkInASlice uses all functions and operations with hostile operands:
// their work is counted, and between two polls it is at most the budget and a piece.
func TestNothingDoesMoreThanABudgetOfWorkInASlice(t *testing.T) {
	const budget = 10_000
	all := functions()
	maps.Copy(all, operationsOf())
	for name, h := range all {
		if h.body == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			steps, most := stepsOf(t, h.prepare+"\n"+h.body, budget)
			before, _ := stepsOf(t, h.prepare+"\nif len(os.Args) > 0 {\n"+h.body+"\n}", budget)
			require.Greater(t, steps-before, int64(1500), "its work is not counted")
			require.Less(t, most, int64(budget+8192+maxDebt), "%d steps", steps)
			_, most = stepsOf(t, h.prepare+"\n"+h.body, 100)
			require.Less(t, most, int64(100+8192+maxDebt), "with a small budget")
		})
	}
}
