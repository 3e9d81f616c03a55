package main

import "fmt"

type T struct{ n int }

func (t T) V()  { fmt.Println("V", t.n, recover()) }
func (t *T) P() { fmt.Println("P", t.n, recover()) }

type E struct{ T }
type EP struct{ *T }
type EE struct{ E }
type IV interface{ V() }
type IP interface{ P() }
type EI struct{ IP }

func run(name string, f func()) {
	defer func() { fmt.Println(name, "end", recover()) }()
	f()
	fmt.Println(name, "returned")
}

func rr() any           { return recover() }
func deep() any         { return func() any { return recover() }() }
func vari(a ...int)     { fmt.Println("vari", a, recover()) }
func ret() (int, error) { fmt.Println("ret", recover()); return 1, nil }

func main() {
	run("V", func() { defer T{1}.V(); panic(1) })
	run("P", func() { t := T{1}; defer t.P(); panic(1) })
	run("V via ptr", func() { t := &T{1}; defer t.V(); panic(1) })
	run("embedded V", func() { e := E{T{2}}; defer e.V(); panic(1) })
	run("embedded P", func() { e := E{T{2}}; defer e.P(); panic(1) })
	run("embedded ptr V", func() { e := EP{&T{2}}; defer e.V(); panic(1) })
	run("embedded ptr P", func() { e := EP{&T{2}}; defer e.P(); panic(1) })
	run("EE", func() { e := EE{E{T{2}}}; defer e.P(); panic(1) })
	run("iface V", func() { var i IV = T{3}; defer i.V(); panic(1) })
	run("iface V of ptr", func() { var i IV = &T{3}; defer i.V(); panic(1) })
	run("iface P", func() { var i IP = &T{3}; defer i.P(); panic(1) })
	run("iface E", func() { var i IV = E{T{3}}; defer i.V(); panic(1) })
	run("iface EP", func() { var i IP = EP{&T{3}}; defer i.P(); panic(1) })
	run("iface *EE", func() { var i IP = &EE{E{T{3}}}; defer i.P(); panic(1) })
	run("embedded iface", func() { var i IP = EI{&T{4}}; defer i.P(); panic(1) })
	run("embedded iface direct", func() { e := EI{&T{4}}; defer e.P(); panic(1) })
	run("method value V", func() { f := T{5}.V; defer f(); panic(1) })
	run("method value P", func() { f := (&T{5}).P; defer f(); panic(1) })
	run("method value of iface", func() { var i IP = &T{5}; f := i.P; defer f(); panic(1) })
	run("method value of embedded", func() { e := EE{E{T{5}}}; f := e.P; defer f(); panic(1) })
	run("method expr V", func() { defer T.V(T{6}); panic(1) })
	run("method expr *V", func() { defer (*T).V(&T{6}); panic(1) })
	run("method expr P", func() { defer (*T).P(&T{6}); panic(1) })
	run("method expr E", func() { defer E.V(E{T{6}}); panic(1) })
	run("method expr *E", func() { defer (*E).P(&E{T{6}}); panic(1) })
	run("method expr iface", func() { defer IP.P(&T{6}); panic(1) })
	run("method expr var", func() { f := (*T).P; defer f(&T{6}); panic(1) })
	run("method expr iface var", func() { f := IP.P; defer f(EI{&T{6}}); panic(1) })
	run("rr", func() { defer rr(); panic(1) })
	run("deep", func() { defer deep(); panic(1) })
	run("vari", func() { defer vari(1, 2); panic(1) })
	run("vari...", func() { defer vari([]int{3}...); panic(1) })
	run("ret", func() { defer ret(); panic(1) })
	run("recover", func() { defer recover(); panic(1) })
	run("recover in parens", func() { defer (recover)(); panic(1) })
	run("panic deferred", func() { defer panic("deferred"); panic(1) })
	run("builtin", func() {
		m := map[int]int{1: 1}
		c := make(chan int)
		defer func() { _, ok := <-c; fmt.Println(len(m), ok) }()
		defer close(c)
		defer delete(m, 1)
		defer print()
		defer copy([]int{1}, []int{2})
		defer clear(m)
	})
	run("func returning func", func() {
		defer func() func() { fmt.Println("now"); return func() { fmt.Println("later", recover()) } }()()
		panic(1)
	})
	run("map func", func() {
		m := map[string]func(){"a": func() { fmt.Println("mf", recover()) }}
		defer m["a"]()
		delete(m, "a")
		panic(1)
	})
	run("struct field func", func() {
		s := struct{ f func(int) }{func(i int) { fmt.Println("sf", i, recover()) }}
		defer s.f(9)
		panic(1)
	})
	run("recursion", func() {
		var f func(n int)
		f = func(n int) {
			defer func() {
				if n%2 == 0 {
					fmt.Println("r", n, recover())
					if n > 0 {
						panic(n)
					}
				}
			}()
			if n < 5 {
				f(n + 1)
			} else {
				panic("bottom")
			}
		}
		f(0)
	})
	run("recovered frame returns named", func() {
		f := func() (a, b int) {
			defer func() { recover(); b++ }()
			a, b = 1, 2
			panic(0)
		}
		fmt.Println(f())
	})
	run("recovered frame returns unnamed", func() {
		f := func() (int, string) {
			defer func() { recover() }()
			if true {
				panic(0)
			}
			return 1, "x"
		}
		fmt.Println(f())
	})
	run("return value set then panic in defer", func() {
		f := func() (r int) {
			defer func() { recover(); r *= 10 }()
			defer func() { r++; panic("d") }()
			return 4
		}
		fmt.Println(f())
	})
	run("recover of earlier panic in later frame", func() {
		defer func() {
			fmt.Println("A", recover())
			func() {
				defer func() { fmt.Println("B", recover()) }()
				panic("new")
			}()
			fmt.Println("C", recover())
		}()
		panic("old")
	})
	run("panic in defer before recover", func() {
		defer func() { fmt.Println(recover()) }()
		defer func() {
			defer func() { fmt.Println("x") }()
			panic("two")
		}()
		panic("one")
	})
	run("goroutine closure of deferred", func() {
		done := make(chan bool)
		defer func() { <-done }()
		defer func() {
			go func() { fmt.Println("g", recover()); close(done) }()
		}()
		defer func() { recover() }()
		panic("q")
	})
}
