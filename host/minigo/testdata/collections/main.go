package main

import (
	"fmt"
	"sort"
	"strings"
)

type grid [][]rune

func main() {
	a := []int{1, 2, 3, 4, 5}
	b := a[1:3]
	b = append(b, 40)
	c := a[1:3:3]
	c = append(c, 99)
	fmt.Println(a, b, c, len(b), cap(b), len(c), cap(a[2:]))
	d := make([]int, 2, 10)
	copy(d, a)
	e := append(d, a...)
	e = append(e[:1], e[3:]...)
	fmt.Println(d, e, copy(e, e[1:]), e)
	var nilslice []int
	fmt.Println(nilslice == nil, len(nilslice), append(nilslice, 1), a[len(a)-1])
	s := "hello, 世界"
	bs := []byte(s)
	bs[0] = 'J'
	rs := []rune(s)
	rs[7] = 'W'
	fmt.Println(string(bs), string(rs), s[7:10], len(s), len(rs), s[1], string(rune(65)))
	bs = append(bs[:5], " there"...)
	fmt.Printf("%s %q %x % x\n", bs, bs[:3], bs[:3], bs[:3])
	fmt.Println("a" < "b", "abc" >= "abd", s == "hello, "+"世界", strings.ToUpper("é"))
	m := map[string][]int{}
	for i, w := range strings.Fields("the quick the lazy the dog") {
		m[w] = append(m[w], i)
	}
	delete(m, "dog")
	v, ok := m["dog"]
	fmt.Println(m, len(m), v == nil, ok, m["the"][1])
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	fmt.Println(keys)
	counts := map[rune]int{}
	for _, r := range "mississippi" {
		counts[r]++
	}
	fmt.Println(counts['s'], counts['z'], len(counts))
	type point struct{ x, y int }
	board := map[point]string{{1, 2}: "a"}
	board[point{3, 4}] += "b"
	board[point{1, 2}] += "c"
	fmt.Println(board[point{1, 2}], board[point{3, 4}], board[point{}] == "")
	mixed := map[any]int{1: 1, "1": 2, 1.0: 3, point{1, 1}: 4, [2]int{1, 2}: 5, true: 6}
	fmt.Println(mixed[1], mixed["1"], mixed[1.0], mixed[point{1, 1}], mixed[[2]int{1, 2}], mixed[true], mixed[int8(1)])
	nested := map[string]map[string]int{"x": {"y": 1}}
	nested["x"]["z"]++
	fmt.Println(nested, nested["q"]["r"])
	big := map[int]int{}
	for i := range 1000 {
		big[i] = i * i
	}
	for k := range big {
		if k%3 != 0 {
			delete(big, k)
		}
	}
	t := 0
	for k, v := range big {
		t += v - k
	}
	fmt.Println(len(big), t)
	clear(big)
	fmt.Println(len(big))
	g := make(grid, 2)
	for i := range g {
		g[i] = []rune(strings.Repeat(".", 3))
	}
	g[1][2] = '#'
	for _, row := range g {
		fmt.Println(string(row))
	}
	people := []struct {
		name string
		age  int
	}{{"Al", 30}, {"Bo", 25}, {"Cy", 35}, {"Di", 25}}
	sort.SliceStable(people, func(i, j int) bool { return people[i].age < people[j].age })
	fmt.Printf("%v %+v\n", people, people[0])
	ms := map[string]struct{ n int }{"k": {1}}
	if x, ok := ms["k"]; ok {
		fmt.Println(x.n)
	}
	funcs := map[string]func(int, int) int{"add": func(a, b int) int { return a + b }}
	fmt.Println(funcs["add"](1, 2), funcs["none"] == nil)
	ss := [][]int{{1}, {2, 3}, nil}
	ss[2] = append(ss[2], ss[1]...)
	ss[1][0] = 7
	fmt.Println(ss, len(ss[2]))
}
