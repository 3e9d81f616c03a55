package workload

// Collatz adds up the lengths of the chains that begin below 300.
func Collatz(rounds int) float64 {
	sum := 0
	for range rounds {
		for start := 1; start < 300; start++ {
			for n := start; n != 1; sum++ {
				if n%2 == 0 {
					n /= 2
				} else {
					n = 3*n + 1
				}
			}
		}
	}
	return float64(sum)
}

const eratosthenesLimit = 8192

// Eratosthenes counts the primes below 8192 by crossing out the others.
func Eratosthenes(rounds int) float64 {
	count := 0
	for range rounds {
		crossed := make([]bool, eratosthenesLimit)
		for i := 2; i < len(crossed); i++ {
			if crossed[i] {
				continue
			}
			count++
			for j := i * i; j < len(crossed); j += i {
				crossed[j] = true
			}
		}
	}
	return float64(count)
}

// Leave asks n times for the capacity of a channel, an operation for which machine code exits to
// the machine.
func Leave(n int) float64 {
	sum, c := 0, make(chan int, 3)
	for range n {
		sum += cap(c)
	}
	return float64(sum)
}
