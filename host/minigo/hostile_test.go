package minigo_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/internal/long"
)

// imports are the packages that the programs here may use.
var imports = []string{"context", "fmt", "math", "runtime", "strconv", "strings", "time"}

// programOf is a program of this main, with what it declares before it.
func programOf(declared, body string) []byte {
	var b strings.Builder
	b.WriteString("package main\n\n")
	for _, path := range imports {
		if regexp.MustCompile(`\b` + path + `\.`).MatchString(declared + body) {
			b.WriteString("import \"" + path + "\"\n")
		}
	}
	b.WriteString(declared + "\n\nfunc main() {\n" + body + "\n}\n")
	return []byte(b.String())
}

func TestWhatHasNoEndEndsTheProgramAndNotTheHost(t *testing.T) {
	const (
		list    = "type node struct{ next any }\n\nfunc chain(n int) (x any) {\n\tfor range n {\n\t\tx = node{x}\n\t}\n\treturn x\n}"
		tree    = "type pair struct{ a, b any }\n\nfunc shared(n int) (x any) {\n\tfor range n {\n\t\tx = pair{x, x}\n\t}\n\treturn x\n}"
		tooLong = "fatal error: runtime: out of memory: a string is too long"
		tooDeep = "fatal error: stack overflow"
		unequal = "fatal error: a value is too deep or too large to be compared"
	)
	for _, c := range []struct{ name, declared, body, want string }{
		{"a slice in itself is printed", "", "a := []any{nil}; a[0] = a; fmt.Println(a)", tooDeep},
		{"a map in itself is printed", "", `m := map[string]any{}; m["m"] = m; fmt.Println(m)`, tooDeep},
		{"a long chain is printed", list, "fmt.Println(chain(1 << 17))", tooDeep},
		{"a tree is printed that shares its parts", tree, "fmt.Println(shared(60))", tooLong},
		{"a slice without end is printed", "", "fmt.Println(make([]struct{}, 1 << 29))", tooLong},
		{"widths", "", `a := make([]any, 1000); for i := range a { a[i] = i }; fmt.Sprintf(strings.Repeat("%1000000d", 1000), a...)`, tooLong},
		{"widths of a list", "", `fmt.Sprintf("%1000000d", make([]int, 1000))`, tooLong},
		{"a text and one byte more", "", `fmt.Sprint("y", strings.Repeat("x", 1<<28))`, tooLong},
		{"a text that is quoted", "", `fmt.Sprintf("%q", strings.Repeat("\x00", 1<<28))`, tooLong},
		{"a text that is quoted by strconv", "", `strconv.Quote(strings.Repeat("\x00", 1<<28))`, tooLong},
		{"widths that are arguments", "", `fmt.Sprintf(strings.Repeat("%[1]*[1]d", 1000), int64(-1000000))`, tooLong},
		{"long chains are compared", list, "println(chain(1 << 18) == chain(1 << 18))", unequal},
		{"trees are compared that share their parts", tree, "println(shared(60) == shared(60))", unequal},
		{"a long chain is a key", list, "println(map[any]int{chain(1 << 18): 1})", unequal},
		{"a tree is a key that shares its parts", tree, "println(map[any]int{}[shared(60)])", unequal},
		{"a tree is deleted", tree, "delete(map[any]int{}, shared(60))", unequal},
		{"join", "", `strings.Join(make([]string, 1<<20), strings.Repeat("x", 1<<20))`, tooLong},
		{"replace", "", `s := strings.Repeat("x", 1<<20); strings.Replace(s, "x", s, 1<<19)`, tooLong},
		{"replace all", "", `s := strings.Repeat("x", 1<<20); strings.ReplaceAll(s, "", s)`, tooLong},
		{"replacer", "", `s := strings.Repeat("x", 1<<20); strings.NewReplacer("x", s, "yy", "z").Replace(s)`, tooLong},
		{"digits", "", "strconv.FormatFloat(1, 'f', math.MaxInt32, 64)", tooLong},
		{"a slice of nothing is appended to itself", "", "s := make([]struct{}, 1<<30); for { s = append(s, s...) }", "panic: runtime error: growslice: len out of range"},
	} {
		t.Run(c.name, func(t *testing.T) {
			both := []minigo.Config{ways()[0], ways()[len(ways())-1]}
			if !long.On(t) {
				both = both[1:]
			}
			for _, way := range both {
				_, err := run(t, "x.go", programOf(c.declared, c.body), way)
				require.ErrorContains(t, err, c.want, "%+v", way)
			}
		})
	}
}

func TestWhatTakesNoRoomIsEqualHoweverMuchOfItThereIs(t *testing.T) {
	out, err := run(t, "x.go", programOf("type void [1<<31 - 1]struct{}", "var a, b void; println(a == b, any(a) == any(b), len(map[void]int{a: 1, b: 2}))"), minigo.Config{})
	require.NoError(t, err)
	require.Equal(t, "true true 1\n", out)
}

// TestASliceEndsEarlyThatWorksOnMuchMemory has a goroutine that works forever and counts; main has
// its turn again after a few steps, and not after the 10,000 calls or jumps back of a slice.
func TestASliceEndsEarlyThatWorksOnMuchMemory(t *testing.T) {
	const long = "s := strings.Repeat(\"x\", 1<<20); "
	for _, c := range []struct{ name, prepare, step string }{
		{"make", "", "_ = make([]int, 1<<20)"},
		{"new", "", "_ = new([1<<20]int)"},
		{"copy", "a, b := make([]int, 1<<20), make([]int, 1<<20)", "copy(a, b)"},
		{"copy of a string", long + "a := make([]byte, 1<<20)", "copy(a, s)"},
		{"clear", "a := make([]int, 1<<20)", "clear(a)"},
		{"append", "a := make([]int, 1<<20)", "_ = append(a, 1)"},
		{"append of many", "a := make([]int, 1<<20)", "_ = append(a[:0], a...)"},
		{"values", "var a, b [50000]int; _ = a", "a = b"},
		{"concatenation", long, `_ = s + "x"`},
		{"bytes", long, "_ = []byte(s)"},
		{"string of bytes", "a := make([]byte, 1<<20)", "_ = string(a)"},
		{"runes", long, "_ = []rune(s)"},
		{"string of runes", "a := make([]rune, 1<<20)", "_ = string(a)"},
		{"comparison of strings", long + "u := s + \"y\"", "_ = s < u"},
		{"comparison of values", "var a [50000]int; x, y := any(a), any(a)", "_ = x == y"},
		{"key", long + "m := map[string]int{}", "m[s]++"},
		{"key of many parts", "var a [50000]int; x := any(a); m := map[any]int{}", "m[x]++"},
		{"gaps", "m := map[int]int{}; for i := range 100_000 { m[i] = i }; for i := range 49_000 { delete(m, i) }", "for range m { break }"},
		{"library", long, `strings.Count(s, "xy")`},
		{"format", "a := make([]int, 10_000)", "_ = fmt.Sprint(a)"},
		{"text", long, "_ = strings.ToUpper(s)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := programOf("", c.prepare+"\nn := 0\ngo func() { for { "+c.step+"; n++ } }()\nruntime.Gosched()\nprintln(n < 1000)")
			for _, way := range []minigo.Config{{JIT: minigo.JITOff}, {JIT: minigo.JITOn}} {
				out, err := run(t, "x.go", source, way)
				require.NoError(t, err)
				require.Equal(t, "true\n", out, "%+v", way)
			}
		})
	}
}

// TestIntegersHave64BitsOnEveryHost also checks what the library gets on a 32-bit host.
func TestIntegersHave64BitsOnEveryHost(t *testing.T) {
	source := programOf("", `
	n, err := strconv.Atoi("5000000000")
	fmt.Println(n, err, time.Duration(5000000000))
	began := time.Now()
	time.Sleep(1 << 33)
	fmt.Println(time.Since(began))`)
	out, err := run(t, "x.go", source, minigo.Config{})
	require.NoError(t, err)
	require.Equal(t, "5000000000 <nil> 5s\n8.589934592s\n", out)
}

// TestTimesBeyondTheLastInstantDoNotPass: they would be in the past if they began anew.
func TestTimesBeyondTheLastInstantDoNotPass(t *testing.T) {
	source := programOf("", `
	forever := time.Duration(math.MaxInt64)
	time.Sleep(time.Hour)
	select {
	case <-time.After(forever):
		println("after")
	case <-time.NewTicker(forever).C:
		println("ticker")
	case <-time.After(time.Hour):
		println("an hour")
	}
	timer := time.NewTimer(time.Hour)
	timer.Reset(forever)
	time.Sleep(2 * time.Hour)
	println(len(timer.C))
	ctx, cancel := context.WithTimeout(context.Background(), forever)
	defer cancel()
	println(ctx.Err() == nil)
	ctx, cancel = context.WithTimeout(context.Background(), math.MinInt64)
	defer cancel()
	println(ctx.Err() == context.DeadlineExceeded)
	far := time.Now().Add(forever)
	println(far.After(time.Now()), time.Now().Add(math.MinInt64).Before(time.Now()))
	println(far.Sub(time.Now().Add(math.MinInt64)) == forever, time.Now().Add(math.MinInt64).Sub(far) == math.MinInt64)
	time.Sleep(forever)
	println(time.Now().Before(far) && time.Until(far) < time.Hour)`)
	for _, way := range ways() {
		out, err := run(t, "x.go", source, way)
		require.NoError(t, err)
		require.Equal(t, "an hour\n0\ntrue\ntrue\ntrue true\ntrue true\ntrue\n", out)
	}
}

func TestLongSetsOfCharactersAreThoseOfGo(t *testing.T) {
	source := programOf("", `
	var b strings.Builder
	for c := 'а'; c < 'а'+100; c++ {
		b.WriteRune(c)
	}
	many := b.String()
	for _, s := range []string{"", "abc", "дом", "aдомz", "z\xff" + many, "\xff"} {
		for _, set := range []string{many, many + "\xff", many + "z"} {
			fmt.Printf("%d %d %v %q %q %q\n", strings.IndexAny(s, set), strings.LastIndexAny(s, set), strings.ContainsAny(s, set),
				strings.Trim(s, set), strings.TrimLeft(s, set), strings.TrimRight(s, set))
		}
	}
	long := strings.Repeat("é", 1<<20)
	fmt.Println(strings.IndexAny(long, strings.Repeat("è", 1<<20)))`)
	out, err := run(t, "x.go", source, minigo.Config{})
	require.NoError(t, err)
	require.Equal(t, setsOfGo()+"-1\n", out)
}

// setsOfGo is what the program of TestLongSetsOfCharactersAreThoseOfGo prints.
func setsOfGo() string {
	var b, out strings.Builder
	for c := 'а'; c < 'а'+100; c++ {
		b.WriteRune(c)
	}
	many := b.String()
	for _, s := range []string{"", "abc", "дом", "aдомz", "z\xff" + many, "\xff"} {
		for _, set := range []string{many, many + "\xff", many + "z"} {
			fmt.Fprintf(&out, "%d %d %v %q %q %q\n", strings.IndexAny(s, set), strings.LastIndexAny(s, set), strings.ContainsAny(s, set),
				strings.Trim(s, set), strings.TrimLeft(s, set), strings.TrimRight(s, set))
		}
	}
	return out.String()
}
