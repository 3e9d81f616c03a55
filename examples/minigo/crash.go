//go:build ignore

// A panic that is not recovered ends the program, as Go does it: deferred calls run, the
// panic and where it came from are told, and the status is 2.
package main

import "fmt"

type parser struct {
	text string
	pos  int
}

func (p *parser) next() byte {
	c := p.text[p.pos]
	p.pos++
	return c
}

func (p *parser) number() (n int) {
	defer func() { fmt.Println("read", p.pos, "bytes") }()
	for {
		n = 10*n + int(p.next()-'0')
	}
}

func main() {
	p := &parser{text: "123"}
	fmt.Println(p.number())
}
