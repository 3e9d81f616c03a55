package scheduler

import (
	"cmp"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
)

// SetProgram makes the Group a program of its own, before it has fibers. The end of its main fiber
// (Options.Main) then ends the Group and those below it, as Kill with ErrMainReturned or the error of the
// fiber, and not the run; Config.Linger does not apply. The Groups below belong to the program, unless
// they have one of their own.
func (g *Group) SetProgram(p *Program) {
	g.core.enter(op.Note)
	if g.alive > 0 {
		g.core.refuseAs(op.Note, rule.ValidArgument, "SetProgram on the Group %q, which has fibers already: make a Group for the program", g.account.Name())
	}
	g.program = p
	g.core.leave()
}

// Program is that of the Group, or of the nearest Group upward that has one; else nil.
func (g *Group) Program() *Program {
	if g = g.ofProgram(); g != nil {
		return g.program
	}
	return nil
}

// ofProgram is the Group of the program.
func (g *Group) ofProgram() *Group {
	for g != nil && g.program == nil {
		g = g.parent
	}
	return g
}

// ReportUnobserved calls Program.Unobserved for each failure of the Group's own program that was not read
// by now, as Steps.ReportUnobserved does for those of no program.
func (g *Group) ReportUnobserved() {
	g.core.enter(op.Note)
	defer g.core.leave()
	if p := g.program; p != nil {
		p.failures.settle(len(p.failures), p.Unobserved)
	}
}

// keepFailure keeps or reports the failure of a fiber of the Group, which may be nil.
func (g *Group) keepFailure(c *Core, d fiber.Death, cell *ioqueue.Cell) {
	if p := g.Program(); p != nil {
		if p.Unobserved != nil {
			p.failures.add(d, cell, p.Unobserved)
		}
		return
	}
	if c.cfg.Unobserved != nil {
		c.unobserved.add(d, cell, c.cfg.Unobserved)
	}
}

// endByMain ends the program of a main fiber that has died, or the run, if the Group has no program or there
// is none.
func (g *Group) endByMain(c *Core, id fiber.RegularID, err error) {
	switch g = g.ofProgram(); {
	case g != nil:
		g.endProgram(id, cmp.Or(err, ErrMainReturned))
	case c.ended != nil || c.stopping:
	case err == nil && c.cfg.Linger:
		c.lingers = true
	default:
		c.ended = cmp.Or(err, ErrMainReturned)
	}
}

// endProgram ends the program of a main fiber that has died: the others of the Group are killed next.
func (g *Group) endProgram(main fiber.RegularID, cause error) {
	if g.ended != nil {
		return
	}
	g.ended = cause
	for id := range g.Fibers() {
		if id != main {
			g.core.orders = append(g.core.orders, fiber.Order{ID: id.ID(), Kill: true, Cause: cause})
		}
	}
}
