//go:build ignore

// The outer planets for a thousand steps: floating point arithmetic, as Go computes it.
package main

import (
	"fmt"
	"math"
)

const (
	daysPerYear = 365.24
	solarMass   = 4 * math.Pi * math.Pi
)

type body struct{ x, y, z, vx, vy, vz, mass float64 }

type system []*body

func (s system) energy() (e float64) {
	for i, b := range s {
		e += 0.5 * b.mass * (b.vx*b.vx + b.vy*b.vy + b.vz*b.vz)
		for _, c := range s[i+1:] {
			dx, dy, dz := b.x-c.x, b.y-c.y, b.z-c.z
			e -= b.mass * c.mass / math.Sqrt(dx*dx+dy*dy+dz*dz)
		}
	}
	return e
}

func (s system) advance(dt float64) {
	for i, b := range s {
		for _, c := range s[i+1:] {
			dx, dy, dz := b.x-c.x, b.y-c.y, b.z-c.z
			d := dx*dx + dy*dy + dz*dz
			mag := dt / (d * math.Sqrt(d))
			b.vx -= dx * c.mass * mag
			b.vy -= dy * c.mass * mag
			b.vz -= dz * c.mass * mag
			c.vx += dx * b.mass * mag
			c.vy += dy * b.mass * mag
			c.vz += dz * b.mass * mag
		}
	}
	for _, b := range s {
		b.x += dt * b.vx
		b.y += dt * b.vy
		b.z += dt * b.vz
	}
}

func main() {
	s := system{
		{mass: solarMass},
		{4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01, 1.66007664274403694e-03 * daysPerYear, 7.69901118419740425e-03 * daysPerYear, -6.90460016972063023e-05 * daysPerYear, 9.54791938424326609e-04 * solarMass},
		{8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01, -2.76742510726411012e-03 * daysPerYear, 4.99852801234917238e-03 * daysPerYear, 2.30417297573763929e-05 * daysPerYear, 2.85885980666130812e-04 * solarMass},
	}
	fmt.Printf("%.9f\n", s.energy())
	for range 1000 {
		s.advance(0.01)
	}
	fmt.Printf("%.9f\n", s.energy())
}
