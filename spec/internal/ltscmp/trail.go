package main

import (
	"io"
	"math/rand/v2"

	"github.com/selvage-dev/selvage/spec"
)

// trailLength is how many actions a random trail has. Spin spells every one out, and takes its
// time for long ones.
const trailLength = 50

// writeTrail writes a random walk of the twin as a process in Promela.
func writeTrail(out io.Writer, c spec.Config, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, seed))
	s := c.Init()
	var walk, enabled []spec.Action
	for range trailLength {
		enabled = c.Enabled(enabled[:0], &s)
		a := enabled[rng.IntN(len(enabled))]
		if a.Kind == spec.Kill && rng.IntN(8) > 0 { // or no fiber lives to do anything
			continue
		}
		c.Step(&s, a)
		walk = append(walk, a)
	}
	text, err := c.Trail(walk)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, text)
	return err
}
