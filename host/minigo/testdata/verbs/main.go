package main

import (
	"errors"
	"fmt"
	"strings"
)

type T struct{ a, b int }
type S string

func (s S) String() string { return string(s) }

type N string
type P struct{ v any }

func (p P) String() string { panic(p.v) }

type PE struct{ v any }

func (p PE) Error() string { panic(p.v) }

type V struct{ x int }

func (v V) String() string { return fmt.Sprint(v.x) }

func q(f string, a ...any) { fmt.Println(f, fmt.Sprintf(f, a...)) }

func main() {
	q("%d")
	q("%d %d", 1)
	q("%d", 1, 2)
	q("x", 1, "a", T{1, 2}, S("s"), N("n"), nil, []int{1}, &T{1, 2})
	q("%!", 1)
	q("%")
	q("%z", 1)
	q("%-")
	q("%*d|%-*d|", 5, 1, 5, 2)
	q("%*d", "a", 1)
	q("%*d", -5, 1)
	q("%.*f", 2, 3.14159)
	q("%.*f", -2, 3.14159)
	q("%.*f", "x", 3.14159)
	q("%*d", 10000001, 1)
	q("%[2]d %[1]d", 1, 2)
	q("%[3]d", 1, 2)
	q("%[0]d", 1, 2)
	q("%[x]d", 1, 2)
	q("%[2]*[1]d", 2, 5)
	q("%[2]T %[1]T %T", 1, "a", 2.5)
	q("%[1]v %[1]T", T{1, 2})
	q("%[2]T", T{1, 2})
	q("%T %v %T", 1, 2, "x")
	q("%*T|", 20, 1)
	q("%-20T|", 1.5)
	q("%d%%%d", 1, 2)
	q("%5%|%T", 1)
	q("%.3d|%8.3d|%-8.3d|%08.3d|", 5, 5, 5, 5)
	q("%+.3d", 5)
	q("%x %X %#x", "hello", []byte("hi"), "hi")
	q("% x|% X|%# x", "hello", []byte("hi"), "hi")
	q("%q %+q %#q %#+q", "a\u00e9`", "a\u00e9", "a`", "ab")
	q("%q %q %q", 'x', 0x1F600, -1)
	q("%c %c", 65, 0x110000)
	q("%U %#U", 0x1F600, 0x1F600)
	q("%6.2f|%-8.1f|%+f|% f|%08.3f|%+08.3f|%-08.3f|", 3.14159, 2.0, 1.0, 1.0, -3.14159, 3.14159, 3.1)
	q("%e %E %g %G %b", 1e6, 1e6, 1e-7, 1e21, 1.0)
	q("%x %X", 1.5, -2.0)
	q("%v %v", 1e20, 1e21)
	q("%v", float32(3.4028235e38))
	q("%08v|%-8v|%8v|%+v", 42, 42, 42, 42)
	q("%t %t", true, 1)
	q("%s %d", errors.New("e"), errors.New("e"))
	q("%s", []string{"a", "b"})
	q("%q", []string{"a", "b"})
	q("%5s|%-5s|%.2s|%5.1s|", "abc", "abc", "abc", "abc")
	q("%05s|%.0s|", "ab", "x")
	q("%s %s", S("x"), N("y"))
	q("%d %x %q", S("x"), S("xy"), S("z"))
	q("%d", N("y"))
	q("%s", 5)
	q("%s", T{1, 2})
	q("%d", T{1, 2})
	q("%s", nil)
	q("%d", nil)
	q("%v %+v %#v %T", nil, nil, nil, nil)
	q("%v", P{1})
	q("%v", P{"boom"})
	q("%s", P{errors.New("inner")})
	q("%v", PE{"x"})
	func() {
		defer func() { _, ok := recover().(int); fmt.Println("nested", ok) }()
		q("%v", P{P{1}})
	}()
	q("%v", (*V)(nil))
	q("%s", (*P)(nil))
	q("%v", []any{P{1}, (*V)(nil), 3})
	q("%v", struct{ X, y any }{P{1}, P{2}})
	fmt.Println(P{1}, "after")
	fmt.Print("a", "b", 1, 2, true, "c", 3, S("s"), S("t"), N("n"), N("m"), nil, nil, "\n")
	fmt.Print(S("s"), S("t"), 1, 2, T{1, 2}, T{3, 4}, "\n")
	fmt.Print(1, errors.New("x"), errors.New("y"), "\n")
	fmt.Println()
	fmt.Println(nil, nil)
	fmt.Print()
	e1, e2 := errors.New("e1"), errors.New("e2")
	for _, e := range []error{fmt.Errorf("a %w", e1), fmt.Errorf("b %w %w", e1, e2), fmt.Errorf("c %v %w", e1, e2), fmt.Errorf("d %w", "x"), fmt.Errorf("e %w", nil), fmt.Errorf("f"), fmt.Errorf("g %d", 1), fmt.Errorf("%[2]w %[1]v", e1, e2), fmt.Errorf("%w", T{}), fmt.Errorf("%+w|%10w", e1, e2)} {
		_, m := e.(interface{ Unwrap() []error })
		fmt.Printf("%v|%T|%v|%v|%v|%v\n", e, e, errors.Unwrap(e), errors.Is(e, e1), errors.Is(e, e2), m)
	}
	q("%w", e1)
	q("%v %v", struct{ a int }{1}, struct{ A error }{fmt.Errorf("x")})
	fmt.Println(fmt.Sprintf("%[1]*d|", 4, 7), fmt.Sprintf("%d %[1]d %d", 1, 2))
	q("%[1]", 1)
	q("%[1", 1)
	q("%[]d", 1)
	q("%[-1]d", 1)
	q("%[1]d %d %d", 1, 2)
	q("%[5]d %d", 1, 2)
	q("%.[2]*[1]f", 2.5, 1)
	q("%1000000000d", 1)
	q("%.1000000000d", 1)
	q("%+s %#s", "a", "b")
	q("%p", nil)
	q("%p", 5)
	q("%p", (*int)(nil))
	q("%d", (*int)(nil))
	q("%x", (*int)(nil))
	q("%#p", (*int)(nil))
	q("%s", (*int)(nil))
	q("%v %s", (func())(nil), (func())(nil))
	q("%d", []*int{nil})
	q("%t", (chan int)(nil))
	q("%#v", (*T)(nil))
	q("%#v", []*T{nil})
	q("%#v", map[string]*T{"a": nil})
	q("%#v", struct {
		E error
		F func()
		C chan int
		M map[int]int
		S []int
	}{})
	q("%v", struct {
		E error
		F func()
		C chan int
		M map[int]int
		S []int
	}{})
	q("%+v", &struct {
		P *T
		Q struct{ R int }
	}{})
	for _, layout := range []string{"%v", "%+v", "%#v", "%+#v", "%+d", "%+x"} {
		for _, v := range []any{new(int), make(chan int), func() {}, struct{ X *int }{new(int)}, []*int{new(int)}} {
			text := fmt.Sprintf(layout, v) // where things are is Go's affair
			fmt.Printf("%%%s of %T: %t %t\n", layout[1:], v, strings.Contains(text, "+"), strings.Contains(text, "0x"))
		}
	}
	q("%+p %+v", (*int)(nil), (*int)(nil))
	q("%p %p %p %p %p", T{1, 2}, [2]int{1, 2}, struct{}{}, S("s"), true)
	q("%p %p", []any{T{}}[0], [1]V{{1}})
	for _, e := range []error{fmt.Errorf("%[1]w %[1]w", e1), fmt.Errorf("%[2]w %[1]w %[2]w", e1, e2), fmt.Errorf("%[1]w %[1]w", 1)} {
		m, many := e.(interface{ Unwrap() []error })
		fmt.Printf("%v|%T|%v|%v|%t\n", e, e, errors.Unwrap(e), errors.Is(e, e1), many)
		if many {
			fmt.Println(m.Unwrap())
		}
	}
}
