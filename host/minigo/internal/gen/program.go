package gen

import (
	_ "embed"
	"fmt"
	"strings"
)

// Program is one random program.
type Program struct {
	number int
	root   *piece
	gone   cuts
}

// New makes a program of choices. The number is in the names at its top, so that programs
// of different numbers can stand in one package.
func New(c Choices, number int) *Program {
	g := &gen{c: c, prefix: fmt.Sprintf("P%d", number), known: map[string]*typ{}}
	g.basics()
	g.constant()
	g.composites()
	for i := range 1 + c.IntN(3) {
		g.function(&routine{name: fmt.Sprintf("%sf%d", g.prefix, i), pure: i == 0 || chance(c, 4), fuel: chance(c, 4)})
	}
	g.main()
	return &Program{number: number, root: seq(g.decls)}
}

// constant declares constants that count.
func (g *gen) constant() {
	names := []string{g.prefix + "A", g.prefix + "B", g.prefix + "C"}
	g.say("const (\n", names[0], " = iota*", g.c.IntN(5), " + 1\n_\n", names[1], "\n", names[2], " int = 1 << iota\n)")
	g.constants = names
}

// global declares variables of the package.
func (g *gen) global() {
	b := g.body(&routine{}, 0, 0)
	types := append([]*typ{g.bool, g.string, pick(g.c, g.lists...)}, g.numbers...)
	for range 1 + g.c.IntN(3) {
		types = append(types, pick(g.c, g.types...))
	}
	for _, t := range types {
		g.names++
		v := &variable{name: fmt.Sprintf("%sg%d", g.prefix, g.names), t: t}
		b.pure = true
		g.say("var ", v.name, " ", t.name, " = ", b.literal(t, manner{}, 2))
		g.globals = append(g.globals, v)
	}
}

// function writes a function of its own.
func (g *gen) function(r *routine) {
	limit := routineCost
	if r.fuel {
		limit = routineCost >> (maxFuel + 1)
		r.params = append(r.params, g.int)
	}
	for range 1 + g.c.IntN(3) {
		from := g.types
		if r.pure {
			from = g.handed
		} else if chance(g.c, 6) {
			from = g.lambdas
		}
		r.params = append(r.params, pick(g.c, from...))
	}
	for range 1 + g.c.IntN(5)/3 {
		r.results = append(r.results, pick(g.c, g.equals...))
	}
	g.write(r, limit, 5)
	g.funcs = append(g.funcs, r)
}

// main writes what the program does: parts of which each ends well, then one that may not.
func (g *gen) main() {
	b := g.body(&routine{}, mainCost, 0)
	var parts []*piece
	for range 1 + g.c.IntN(3) {
		b.room = 4
		parts = append(parts, seq(b.guarded(), "\n").or(&piece{}))
	}
	b.room = 3
	if chance(g.c, 3) {
		parts = append(parts, seq("{\n", b.block(3), "}\n"))
	}
	for _, v := range g.globals {
		if v.t.shown() {
			parts = append(parts, optional("fmt.Println(", v.name, ")\n"))
		}
	}
	parts = append(parts, b.ending())
	g.decls = append(g.decls, seq("func ", g.prefix, "main() {\n", parts, "}\n"))
}

// ending is how the program ends: mostly well.
func (b *body) ending() *piece {
	switch b.c.IntN(24) {
	case 20:
		return optional("os.Exit(", b.c.IntN(4), ")\n")
	case 21:
		return optional(pick(b.c, "<-make(chan int)\n", "select {}\n", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()\n"))
	case 22, 23:
		return optional("panic(", b.thrown(), ")\n")
	}
	return &piece{}
}

// Text is the program without what all of them need.
func (p *Program) Text() string { return p.root.text(p.gone) }

//go:embed prelude.txt
var prelude string

// Source is a package of programs, with a function Run that runs the one whose number it
// gets, as text.
func Source(pkg string, programs ...*Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\n%s\n", pkg, prelude)
	for _, p := range programs {
		b.WriteString(p.Text())
		b.WriteByte('\n')
	}
	b.WriteString("// Run runs a program.\nfunc Run(number string) {\nswitch number {\n")
	for _, p := range programs {
		fmt.Fprintf(&b, "case \"%d\":\nP%dmain()\n", p.number, p.number)
	}
	b.WriteString("}\n}\n")
	return b.String()
}

// Mark is what Main prints behind what a program prints.
const Mark = "\n<<<the program has ended>>>\n"

// Main is a whole program, which runs those whose numbers are its arguments, one after the
// other.
func Main(programs ...*Program) string {
	return Source("main", programs...) + "\n" + Loop("Run(number)")
}

// Loop is a function main that runs the programs whose numbers are its arguments.
func Loop(run string) string {
	return fmt.Sprintf("func main() {\nfor _, number := range os.Args[1:] {\n%s\nfmt.Print(%q)\n}\n}\n", run, Mark)
}

// Number is what the program is called by.
func (p *Program) Number() int { return p.number }
