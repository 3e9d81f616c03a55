package minigo_test

// stackCases are programs that show the stacks of their goroutines.
var stackCases = []struct {
	name    string
	budget  int // 0 is the usual one
	program string
	want    string
}{
	{"itself", 0, `
import "host/probe"
type point struct { x, y int; name string }
func f(a int, p point) (sum int) {
	sum = a + p.x
	probe.Show(true)
	return
}
func main() {
	n := 1
	n = f(n, point{2, 3, "p"})
}`, `
host/probe.Show
main.f p.go:7 a=1 p={x:2 y:3 name:"p"} sum=3
main.main p.go:12 n=1
`},
	{"not begun", 0, `
import "host/probe"
func f(a int, s string, more ...bool) { go func() { a++ }() }
func main() {
	go f(1, "x", true, false)
	b := 7
	go func(c int) { b += c }(8)
	probe.Show(false)
}`, `
main.f p.go:4 a=1 s="x" more=[true false]
main.main.func1 p.go:8 c=8
`},
	{"in a receive", 0, `
import ("host/probe"; "runtime")
func main() {
	ch, done := make(chan int), make(chan bool, 3)
	go func(a int) {
		b := a * 2
		v := <-ch
		println(b, v)
		done <- true
	}(3)
	runtime.Gosched()
	probe.Show(false)
	ch <- 1
	<-done
}`, `
main.main.func1 p.go:8 ch=chan int 0/0 done=chan bool 0/3 a=3 b=6
6 1
`},
	{"asleep and in locks", 0, `
import ("host/probe"; "sync"; "time")
type account struct { mu sync.Mutex; sum int }
func (a *account) add(n int) { a.mu.Lock(); defer a.mu.Unlock(); a.sum += n }
func main() {
	a := &account{sum: 5}
	a.mu.Lock()
	go a.add(2)
	go func() { time.Sleep(time.Hour) }()
	time.Sleep(1)
	probe.Show(false)
	a.mu.Unlock()
}`, `
sync.(*Mutex).Lock sync/lock.go:33 m=&{c:chan struct {} 1/1}
main.(*account).add p.go:5 n=2 a=&{mu:{…} sum:5}
time.Sleep
main.main.func1 p.go:10
`},
	{"preempted", 100, `
import ("host/probe"; "runtime")
func spin(limit int) int {
	n := 0
	for n < limit { n++ }
	return n
}
func main() {
	go spin(1000000)
	runtime.Gosched()
	probe.Show(false)
}`, `
main.spin p.go:6 limit=1000000 n=101
`},
	{"in a deferred call of a panic", 0, `
import "host/probe"
func f() {
	a := 1
	defer func(n int) {
		probe.Show(true)
		v := recover()
		probe.Show(true)
		println(v.(string))
	}(a + 1)
	a = 3
	panic("p")
}
func main() { f() }`, `
host/probe.Show
main.f.func1 p.go:7 n=2
main.f p.go:14
main.main p.go:15
host/probe.Show
main.f.func1 p.go:9 n=2 v=string("p")
main.f p.go:14
main.main p.go:15
p
`},
	{"in methods and closures", 0, `
import "host/probe"
type shower interface { show(n int) }
type box struct { v any; next *box }
func (b *box) show(n int) { probe.Show(true) }
func each(list []int, f func(int)) { for i, v := range list { if i == 1 { f(v) } } }
func main() {
	b := &box{v: 1.5, next: &box{v: "deep"}}
	bound := b.show
	var s shower = b
	each([]int{4, 5, 6}, func(v int) { defer bound(v); s = b; _ = s })
}`, `
host/probe.Show
main.(*box).show p.go:6 n=5 b=&{v:float64(1.5) next:*main.box}
main.main.func1 p.go:12 bound=func main.(*box).show-fm s=*main.box(&{v:float64(1.5) next:*main.box}) b=&{v:float64(1.5) next:*main.box} v=5
main.each p.go:7 list=[4 5 6] f=func main.main.func1 i=1 v=5
main.main p.go:12 b=&{v:float64(1.5) next:*main.box} bound=func main.(*box).show-fm s=*main.box(&{v:float64(1.5) next:*main.box})
`},
	{"in library functions", 0, `
import ("host/probe"; "sort"; "strings")
type list []string
func (l list) Len() int { return len(l) }
func (l list) Less(i, j int) bool { if i+j == 1 { probe.Show(true) }; return l[i] < l[j] }
func (l list) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func main() {
	sort.Sort(list{"a", "b"})
	strings.Map(func(r rune) rune { if r == 'b' { probe.Show(true) }; return r }, "abc")
}`, `
host/probe.Show
main.list.Less p.go:6 i=1 j=0 l=["a" "b"]
sort.insertion sort/sort.go:36 data=main.list(["a" "b"]) lo=0 hi=2 i=1 j=1
sort.quick sort/sort.go:31 data=main.list(["a" "b"]) lo=0 hi=2
sort.Sort sort/sort.go:10 data=main.list(["a" "b"])
main.main p.go:9
host/probe.Show
main.main.func1 p.go:10 r=98
strings.Map strings/strings.go:139 mapping=func main.main.func1 s="abc" b={b:*strings.buffer} r=98
main.main p.go:10
`},
	{"with blocks and shadows", 0, `
import "host/probe"
func main() {
	a := 1
	{ gone := 2; a += gone }
	if a, b := a+1, "s"; b != "" {
		for i := 0; i < 1; i++ {
			for _, r := range "ä" {
				switch c := any(r).(type) {
				case rune:
					probe.Show(true)
					_ = c
				}
			}
		}
		a++
	}
	later := 5
	probe.Show(true)
	_, _ = a, later
}`, `
host/probe.Show
main.main p.go:12 a=4 b="s" i=0 r=228 c=228
host/probe.Show
main.main p.go:20 a=3 later=5
`},
	{"with every kind of value", 0, `
import ("errors"; "host/probe")
type pair struct { a, b int8 }
type named map[string]pair
type tree struct { left, right *tree; n float32 }
func main() {
	i, u, f, ok := -1, uint8(2), 2.5, true
	s, bytes := "q\"\xff", []byte("ab")
	arr := [3]pair{{1, 2}}
	m := named{"k": {3, 4}}
	var nilMap map[int]int
	var nilSlice []string
	var e error = errors.New("e")
	var empty any
	ch := make(chan int, 2)
	ch <- 1
	t := &tree{n: 1}
	t.left = t
	fn := func() { i++ }
	p := &arr[0]
	deep := [][][]int{{{1}}}
	probe.Show(true)
	_, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _ = u, f, ok, s, bytes, m, nilMap, nilSlice, e, empty, ch, t, fn, p, deep, arr, i
}`, `
host/probe.Show
main.main p.go:23 i=-1 u=2 f=2.5 ok=true s="q\"\xff" bytes=[97 98] arr=[{a:1 b:2} {a:0 b:0} {a:0 b:0}] m=map["k":{a:3 b:4}] nilMap=<nil> nilSlice=[] e=*errors.errorString(&{s:"e"}) empty=<nil> ch=chan int 1/2 t=&{left:*main.tree right:<nil> n:1} fn=func main.main.func1 p=&{a:1 b:2} deep=[[[…]]]
`},
}
