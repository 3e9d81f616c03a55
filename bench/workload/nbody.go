package workload

import "math"

type body struct{ x, y, z, vx, vy, vz, mass float64 }

func planets() []*body {
	return []*body{
		{0, 0, 0, 0, 0, 0, 39.47},
		{4.84, -1.16, -0.10, 0.6, 2.8, -0.02, 0.037},
		{8.34, 4.12, -0.403, -1.01, 1.81, 0.008, 0.011},
		{12.8, -15.1, -0.22, 1.08, 0.86, -0.01, 0.0017},
		{15.3, -25.9, 0.17, 0.97, 0.59, -0.03, 0.002},
	}
}

func advance(bodies []*body, dt float64) {
	for i, b := range bodies {
		for j := i + 1; j < len(bodies); j++ {
			c := bodies[j]
			dx, dy, dz := b.x-c.x, b.y-c.y, b.z-c.z
			dist2 := dx*dx + dy*dy + dz*dz
			mag := dt / (dist2 * math.Sqrt(dist2))
			b.vx -= dx * c.mass * mag
			b.vy -= dy * c.mass * mag
			b.vz -= dz * c.mass * mag
			c.vx += dx * b.mass * mag
			c.vy += dy * b.mass * mag
			c.vz += dz * b.mass * mag
		}
	}
	for _, b := range bodies {
		b.x += dt * b.vx
		b.y += dt * b.vy
		b.z += dt * b.vz
	}
}

// NBody moves five bodies for that many steps.
func NBody(steps int) float64 {
	bodies := planets()
	for range steps {
		advance(bodies, 0.01)
	}
	return bodies[1].x + bodies[2].y + bodies[3].z
}
