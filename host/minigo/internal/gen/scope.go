package gen

import (
	"fmt"
	"slices"
)

// variable is something with a name that can be read.
type variable struct {
	name  string
	t     *typ
	level int // of the function literal that declares it

	steady bool // only statements of its own function set it: no call can change it
	fixed  bool // nothing sets it
	owned  bool // a slice that append may grow: no other has its elements
}

// scope is a block's variables.
type scope struct {
	vars []*variable
	wall bool // what is outside cannot be seen: the block is of another goroutine
}

// body is a function as it is written.
type body struct {
	*gen
	routine  *routine
	scopes   []scope
	level    int
	nested   int // how many statements this one stands in
	weight   int // how often it runs at most
	cost     int // of what is written
	limit    int
	brackets int // how deep the expression is in brackets
	room     int // how many more statements there may be
	again    int // how many more times it may call itself
	self     *routine
	loops    []loop
	results  []*variable // the named ones
	pure     bool        // it can neither print nor set what it did not make
	dynamic  bool        // it may call methods of interfaces
	exits    bool        // it may end its goroutine
}

// loop is a loop that break or continue may name.
type loop struct {
	label string
	used  *bool
	level int
}

func (b *body) open()  { b.scopes = append(b.scopes, scope{}) }
func (b *body) close() { b.scopes = b.scopes[:len(b.scopes)-1] }

// fenced runs f where nothing outside can be seen.
func (b *body) fenced(f func()) {
	b.scopes = append(b.scopes, scope{wall: true})
	defer b.close()
	f()
}

func (b *body) declare(v *variable) *variable {
	v.level = b.level
	at := &b.scopes[len(b.scopes)-1]
	at.vars = append(at.vars, v)
	return v
}

// newName is a name for a variable: mostly a new one, at times one that hides another.
func (b *body) newName() string {
	if chance(b.c, 12) {
		if seen := b.visible(); len(seen) > 0 {
			if name := pick(b.c, seen...).name; !b.declaredHere(name) && !b.reserved(name) {
				return name
			}
		}
	}
	return b.fresh("v")
}

func (b *body) declaredHere(name string) bool {
	return slices.ContainsFunc(b.scopes[len(b.scopes)-1].vars, named(name))
}

// reserved names are needed inside: the results, and the fuel.
func (b *body) reserved(name string) bool {
	return name == fuel || slices.ContainsFunc(b.results, named(name))
}

func named(name string) func(*variable) bool { return func(v *variable) bool { return v.name == name } }

func (b *body) fresh(prefix string) string {
	b.names++
	return fmt.Sprintf("%s%d", prefix, b.names)
}

// visible lists the variables that can be named here, the innermost first.
func (b *body) visible() (list []*variable) {
	hidden := map[string]bool{}
	for i := len(b.scopes) - 1; i >= 0; i-- {
		for j := len(b.scopes[i].vars) - 1; j >= 0; j-- {
			v := b.scopes[i].vars[j]
			if !hidden[v.name] {
				list = append(list, v)
			}
			hidden[v.name] = true
		}
		if b.scopes[i].wall {
			return list
		}
	}
	if b.pure {
		return list
	}
	for _, v := range b.globals {
		if !hidden[v.name] {
			list = append(list, v)
		}
	}
	return list
}

// spend adds to the cost of the function, if it can be borne.
func (b *body) spend(cost int) bool {
	if b.cost+cost*b.weight > b.limit {
		return false
	}
	b.cost += cost * b.weight
	return true
}

// repeated runs f as what happens n times.
func (b *body) repeated(n int, f func()) {
	before := b.weight
	b.weight *= n
	f()
	b.weight = before
}

// uses says of variables that they are used: a smaller program may not use them otherwise.
func uses(vars ...*variable) *piece {
	p := &piece{}
	for _, v := range vars {
		p.parts = append(p.parts, "_ = "+v.name+"\n")
	}
	return p
}

// defining is text that defines a variable, and uses it; the text may not name it otherwise.
func (b *body) defining(v *variable, text ...any) *piece {
	p := seq(append(text, uses(v))...)
	b.declare(v)
	return p
}
