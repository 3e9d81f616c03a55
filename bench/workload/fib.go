package workload

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

// Fib computes the 20th Fibonacci number by 21,891 calls.
func Fib(rounds int) float64 {
	sum := 0
	for range rounds {
		sum += fib(20)
	}
	return float64(sum)
}
