package main

import "fmt"

func grade(n int) string {
	switch {
	case n >= 90:
		return "A"
	case n >= 80:
		return "B"
	}
	return "C"
}

func fall(n int) (s string) {
	switch n {
	case 1:
		s += "one "
		fallthrough
	case 2, 3:
		s += "few "
	default:
		s += "many "
	case 0:
		s += "none "
	}
	return s
}

func search(m [][]int, want int) (int, int) {
outer:
	for i, row := range m {
		for j, v := range row {
			switch {
			case v == want:
				return i, j
			case v < 0:
				continue outer
			case v > 100:
				break outer
			}
		}
	}
	return -1, -1
}

func gotos() int {
	i := 0
again:
	i++
	if i < 5 {
		goto again
	}
	return i
}

func main() {
	fmt.Println(grade(95), grade(85), grade(10), fall(0), fall(1), fall(2), fall(9))
	fmt.Println(search([][]int{{1, 2}, {-1, 7}, {7, 8}}, 7))
	fmt.Println(search([][]int{{1, 200}, {7, 8}}, 7))
	fmt.Println(gotos())
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i += 10; return i })
	}
	for _, f := range fs {
		fmt.Print(f(), " ", f(), " ")
	}
	fmt.Println()
	for i := range 3 {
		defer fmt.Println("deferred", i)
	}
	for i, r := range "aé日" {
		fmt.Print(i, ":", string(r), " ")
	}
	fmt.Println()
	a := [3]int{1, 2, 3}
	for i, v := range a {
		a[2] = 10
		fmt.Print(i, v, " ")
	}
	for i, v := range &a {
		a[2] = 20
		fmt.Print(i, v, " ")
	}
	fmt.Println()
	x, y := 1, 2
	x, y = y, x+y
	s := []int{0, 1, 2}
	i := 0
	i, s[i] = 2, 9
	fmt.Println(x, y, i, s)
	if v := x * 2; v > 3 {
		fmt.Println("big", v)
	} else if w := v + 1; w > 2 {
		fmt.Println("small", v, w)
	}
	for {
		if i++; i > 5 {
			break
		}
	}
	type key struct{ a, b int }
	var k any = key{1, 2}
	switch v := k.(type) {
	case nil:
		fmt.Println("nil")
	case int, string:
		fmt.Printf("%T\n", v)
	case key:
		fmt.Println("key", v.a+v.b)
	}
block:
	switch {
	default:
		if i > 3 {
			break block
		}
		fmt.Println("not reached")
	}
	fmt.Println(func(ns ...int) (t int) {
		for _, n := range ns {
			t += n
		}
		return
	}(1, 2, 3), i)
}
