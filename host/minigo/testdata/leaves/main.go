// Small functions that compute words from words, which machine code writes in place of their
// calls, and gives up where they panic: then they begin anew, with their parameters as they were.
package main

import "fmt"

// m is set, and has less to gain from a register than the eight that are compared.
func crowded(z, b, c, d, e, g, h, i, j, m int) int {
	m++
	if b > c || c > d || d > e || e > g || g > h || h > i || i > j || b > d || c > e || d > g || e > h || g > i || h > j || b > e || b > g || c > j || b > j {
		return 1
	}
	if m > 6 {
		return 100
	}
	return j / z
}

func alone(z, m int) int {
	m++
	if m > 6 {
		return 100
	}
	return m / z
}

func both(z, m int) (m2, q int) {
	m2 = m * m
	m -= 3
	q = m % z
	return m2, q
}

func unsigned(z, m uint) uint {
	m--
	return m / z
}

func float(z int, x float64) float64 {
	x *= 2
	if x > 20 {
		return -1
	}
	return x + float64(8/z)
}

func try(name string, f func(z int) int) {
	sum, left := 0, 6
	defer func() { fmt.Println(name, sum, left, recover()) }()
	for ; ; left-- {
		sum += f(left)
	}
}

func main() {
	try("crowded", func(z int) int { return crowded(z, 1, 2, 3, 4, 5, 6, 7, 8, 5) })
	try("alone", func(z int) int { return alone(z, 5) })
	try("both", func(z int) int { a, b := both(z, 20); return a + b })
	try("unsigned", func(z int) int { return int(unsigned(uint(z), 20)) })
	try("float", func(z int) int { return int(float(z, 6)) })
	for n := range 3 {
		fmt.Println(crowded(n+1, 1, 2, 3, 4, 5, 6, 7, 8, n+4), alone(n+1, n+4))
	}
}
