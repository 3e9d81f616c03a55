package main

import (
	"fmt"
	"math/rand"
	"runtime"
	"sort"
	"sync"
)

func try(name string, f func()) {
	defer func() { fmt.Println(name, "recovered:", recover()) }()
	f()
	fmt.Println(name, "returned")
}

func check(a []int) bool {
	seen := map[int]bool{}
	for _, x := range a {
		seen[x] = true
	}
	return len(seen) == len(a)
}

type bad struct{ a []int }

func (b bad) Len() int           { return len(b.a) + 3 }
func (b bad) Less(i, j int) bool { return b.a[i] < b.a[j] }
func (b bad) Swap(i, j int)      { b.a[i], b.a[j] = b.a[j], b.a[i] }

type neg struct{}

func (neg) Len() int           { return -5 }
func (neg) Less(i, j int) bool { panic("less") }
func (neg) Swap(i, j int)      { panic("swap") }

func main() {
	for _, n := range []int{0, 1, 2, 5, 12, 13, 50, 500} {
		a := make([]int, n)
		fill := func() {
			for i := range a {
				a[i] = (i * 7919) % 1009
			}
		}
		r := rand.New(rand.NewSource(1))
		fill()
		sort.Slice(a, func(i, j int) bool { return r.Intn(2) == 0 })
		fmt.Println(n, "random", check(a))
		fill()
		sort.Slice(a, func(i, j int) bool { return true })
		fmt.Println(n, "true", check(a))
		fill()
		sort.Slice(a, func(i, j int) bool { return false })
		fmt.Println(n, "false", check(a))
		fill()
		sort.SliceStable(a, func(i, j int) bool { return r.Intn(2) == 0 })
		fmt.Println(n, "stable random", check(a))
		fill()
		sort.SliceStable(a, func(i, j int) bool { return true })
		fmt.Println(n, "stable true", check(a))
		fill()
		sort.Slice(a, func(i, j int) bool { return a[i] >= a[j] })
		fmt.Println(n, ">=", check(a), sort.SliceIsSorted(a, func(i, j int) bool { return a[i] > a[j] }))
	}
	a := []int{5, 2, 8, 1, 9, 3}
	count := 0
	try("panic", func() {
		sort.Slice(a, func(i, j int) bool {
			count++
			if count == 5 {
				panic("in less")
			}
			return a[i] < a[j]
		})
	})
	fmt.Println(check(a))
	ch := make(chan bool)
	go func() {
		for {
			ch <- true
		}
	}()
	sort.Slice(a, func(i, j int) bool { <-ch; return a[i] < a[j] })
	fmt.Println(a)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer fmt.Println("deferred")
		sort.Slice(a, func(i, j int) bool { runtime.Goexit(); return true })
		fmt.Println("not here")
	}()
	wg.Wait()
	try("nil slice", func() { sort.Slice([]int(nil), nil) })
	try("nil less", func() { sort.Slice([]int{2, 1}, nil) })
	try("one", func() { sort.Slice([]int{2}, nil) })
	try("len too large", func() { sort.Sort(bad{[]int{3, 1, 2}}) })
	try("negative", func() { sort.Sort(neg{}) })
	try("negative stable", func() { sort.Stable(neg{}) })
	try("nil interface", func() { sort.Sort(nil) })
	s := []int{5, 4, 3, 2, 1}
	sort.Slice(s, func(i, j int) bool { s = append(s, 0)[:5]; return s[i] < s[j] })
	try("shrink", func() {
		t := []int{5, 4, 3, 2, 1}
		sort.Slice(t, func(i, j int) bool { t = t[:1]; return t[i] < t[j] })
	})
	fmt.Println(sort.Search(10, func(i int) bool { return i >= 7 }), sort.Search(-1, nil), sort.Search(0, nil), sort.SearchInts([]int{1, 3, 5}, 4))
	fmt.Println(sort.Find(3, func(i int) int { return 1 - i }))
	str := []struct {
		s string
		n int
	}{{"b", 1}, {"a", 2}, {"b", 3}, {"a", 4}}
	sort.SliceStable(str, func(i, j int) bool { return str[i].s < str[j].s })
	fmt.Println(str)
	f := sort.Float64Slice{2, 1, 0}
	sort.Sort(sort.Reverse(f))
	fmt.Println(f)
	try("search panics", func() { sort.Search(5, func(i int) bool { panic(i) }) })
}
