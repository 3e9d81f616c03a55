// What is said of bounds that are wrong, and of methods of values without a value. Found by
// random programs.
package main

import "fmt"

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

type speaker interface{ say() int }

type value struct{ n int }

func (v value) say() int { return v.n }

func main() {
	s, a, text := []int{1, 2, 3}, [3]int{}, "abc"
	neg, big, one, two := -1, 9, 1, 2
	try(func() { _ = s[neg] })
	try(func() { _ = s[big] })
	try(func() { _ = s[neg:] })
	try(func() { _ = s[:neg] })
	try(func() { _ = s[:big] })
	try(func() { _ = s[two:one] })
	try(func() { _ = s[0:1:big] })
	try(func() { _ = s[0:1:neg] })
	try(func() { _ = s[0:big:two] })
	try(func() { _ = s[0:neg:two] })
	try(func() { _ = s[two:one:two] })
	try(func() { _ = s[neg:one:two] })
	try(func() { _ = a[neg] })
	try(func() { _ = a[:big] })
	try(func() { _ = a[:neg] })
	try(func() { _ = a[0:1:big] })
	try(func() { _ = a[0:1:neg] })
	try(func() { _ = text[big] })
	try(func() { _ = text[:big] })
	try(func() { _ = text[neg:] })
	try(func() { _ = text[two:one] })
	try(func() { var p *value; _ = p.say() })
	for _, x := range []speaker{value{7}, (*value)(nil)} {
		try(func() { fmt.Println(x.say()) })
	}
	fmt.Printf("%#v %#v %#v\n", []byte{1, 2}, [2]byte{1, 2}, [][]byte{{1}})
}
