package main

import "fmt"

type point struct{ x, y int }

func (p point) plus(q point) point { return point{p.x + q.x, p.y + q.y} }
func (p *point) scale(k int)       { p.x *= k; p.y *= k }
func (p point) String() string     { return fmt.Sprintf("<%d,%d>", p.x, p.y) }

type named struct {
	point
	*tag
	name string
}

type tag struct{ t string }

func (t *tag) set(s string) { t.t = s }
func (t tag) get() string   { return t.t }

type shape interface {
	area() float64
	perimeter() float64
}

type rect struct{ w, h float64 }
type square struct{ rect }

func (r rect) area() float64      { return r.w * r.h }
func (r rect) perimeter() float64 { return 2 * (r.w + r.h) }

type node struct {
	val         int
	left, right *node
}

func (n *node) insert(v int) *node {
	if n == nil {
		return &node{val: v}
	}
	if v < n.val {
		n.left = n.left.insert(v)
	} else {
		n.right = n.right.insert(v)
	}
	return n
}

func (n *node) walk(f func(int)) {
	if n != nil {
		n.left.walk(f)
		f(n.val)
		n.right.walk(f)
	}
}

type matrix [2][3]int

func sum(m matrix) (t int) {
	for _, row := range m {
		for _, v := range row {
			t += v
		}
	}
	m[0][0] = 1000
	return t
}

type big struct {
	a [4]point
	m map[string]int
	s []string
	f func(int) int
}

func main() {
	p := point{1, 2}
	q := p
	q.scale(10)
	pp := &p
	pp.y = 7
	fmt.Println(p, q, p.plus(q), *pp, pp.plus(q), p == point{1, 7}, p != q)
	n := named{point{3, 4}, &tag{"t"}, "n"}
	n.scale(2)
	n.set("u")
	fmt.Println(n.x, n.point, n.get(), n.name, n.plus(p))
	f, g, h := p.plus, (*point).scale, point.String
	g(&p, 2)
	fmt.Println(f(point{1, 1}), p, h(p))
	shapes := []shape{rect{2, 3}, &rect{1, 1}, square{rect{2, 2}}, &square{rect{3, 3}}}
	for _, s := range shapes {
		fmt.Print(s.area(), " ", s.perimeter(), "; ")
	}
	fmt.Println()
	var root *node
	for _, v := range []int{5, 2, 8, 1, 9} {
		root = root.insert(v)
	}
	root.walk(func(v int) { fmt.Print(v, " ") })
	fmt.Println()
	m := matrix{{1, 2, 3}, {4, 5, 6}}
	c := m
	c[1][2] = 60
	r := &m[1]
	r[0] = 40
	fmt.Println(sum(m), m, c, m == c, len(m), len(m[0]))
	b := big{m: map[string]int{"a": 1}, f: func(i int) int { return i * 2 }}
	b.a[2].x = 5
	b.a[3].scale(3)
	b.s = append(b.s, "x", "y")
	b2 := b
	b2.a[2].y = 6
	fmt.Println(b.a, b2.a, b.m["a"], b.s, b.f(21))
	var e struct{}
	var ps [3]*point
	ps[1] = &b.a[2]
	ps[1].x++
	fmt.Println(e, ps[0] == nil, *ps[1], b.a[2])
	ptrs := map[*point]string{&b.a[2]: "same"}
	fmt.Println(ptrs[ps[1]], ps[1] == &b.a[2], new(int) == new(int))
	anon := []struct {
		name string
		pos  *point
	}{{"a", &point{1, 1}}, {name: "b"}}
	fmt.Println(anon[0].pos.x, anon[1].pos == nil, len(anon))
	type pair struct{ a, b any }
	fmt.Println(pair{1, "x"} == pair{1, "x"}, pair{1, 2.0} == pair{1, 2}, any(p) == any(p))
	arr := [...]string{2: "c", 0: "a"}
	fmt.Printf("%q %d %v %+v %T\n", arr, len(arr), n.point, struct{ A, B int }{1, 2}, shapes[3])
}
