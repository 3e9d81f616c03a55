package scheduler

import "github.com/selvage-dev/selvage/fiber"

// Choices are the decisions that Config.Choose can make.
type Choices struct{ core *Core }

// Choices is the facet for explored runs.
func (c *Core) Choices() Choices { return Choices{c} }

// touched calls Config.Touched: an explored run records what the step of a fiber uses.
func (f Choices) touched(id fiber.ID, objects []any) {
	if f.core.cfg.Touched == nil {
		return
	}
	defer f.core.mustNotPanic("Config.Touched")
	f.core.cfg.Touched(id, objects)
}

// touchedAll reports that the step of a fiber may use any object.
func (f Choices) touchedAll(id fiber.ID) {
	if f.core.cfg.Touched != nil {
		f.touched(id, []any{nil})
	}
}

// touchedSources reports the sources of a wait.
func (f Choices) touchedSources(id fiber.ID, sources []fiber.Source) {
	if f.core.cfg.Touched == nil {
		return
	}
	for _, src := range sources {
		if src != nil {
			f.touched(id, []any{src})
		}
	}
}
