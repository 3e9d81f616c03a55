package main

import (
	"errors"
	"fmt"
)

type S string
type I int
type F float64
type B bool
type U8 uint8
type T struct {
	A int
	b string
	C *int
}
type St struct{ x int }

func (s St) String() string { return fmt.Sprintf("St<%d>", s.x) }

type PSt struct{ x int }

func (s *PSt) String() string { return fmt.Sprintf("PSt<%d>", s.x) }

type SS string

func (s SS) String() string { return "SS:" + string(s) }

type E struct{ c int }

func (e E) Error() string { return fmt.Sprint("E", e.c) }

type G struct{ x int }

func (g G) GoString() string { return "G!" }

type NB []byte
type NI []int
type M map[string]int
type Fn func(int) string
type P panicker
type panicker struct{ v any }

func (p panicker) String() string { panic(p.v) }

type nilp struct{ x int }

func (n nilp) String() string { return fmt.Sprint(n.x) }

func main() {
	vals := []any{nil, true, 1, int8(-5), uint8(200), uintptr(7), 'x', 1.5, float32(0.1), "str\n\xff\"`", S("named"), I(3), F(2.5), B(true), U8(9),
		T{1, "b", nil}, &T{1, "b", nil}, St{4}, &St{5}, PSt{6}, &PSt{7}, SS("q"), E{8}, &E{9}, G{1}, []int{1, 2}, []string{"a", "b c"}, []byte("hi\x00"), NB("nb"), NI{1}, NI(nil), []int(nil),
		[3]int{1, 2, 3}, [2]byte{1, 2}, map[string]int{"b": 1, "a": 2}, M{"x": 1}, M(nil), map[I]S{2: "b", 1: "a"}, struct {
			X int
			Y any
		}{1, nil}, struct{}{}, []any{1, "a", nil, St{1}}, []error{E{1}, nil}, errors.New("plain"), [][]int{{1}, {2, 3}}, []St{{1}, {2}}, []*int{nil}, (*int)(nil), (*St)(nil), (*PSt)(nil), (func())(nil), (chan int)(nil), map[any]any{"a": 1}, []S{"a"}, []U8{1, 2}, [2]bool{true}, []float64{1, 2.5}, &[]int{1}, &map[string]int{"a": 1}, &[2]string{"a", "b"}, -0.0, 1e21, 1e20, int64(-1 << 63), uint64(1<<64 - 1), []rune("hé")}
	for _, verb := range []string{"%v", "%+v", "%#v", "%T", "%d", "%s", "%q", "%#x", "% x", "%08.3f", "%t", "%6v|", "%-5.3v|", "%+d", "%z"} {
		for i, v := range vals {
			if verb == "%p" {
				continue
			}
			fmt.Printf("%d "+"%%"+verb[1:]+": ["+verb+"]\n", i, v)
		}
	}
}
