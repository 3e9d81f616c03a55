package workload

func passOn(in, out chan int) {
	for v := range in {
		out <- v + 1
	}
	close(out)
}

// PingPong sends n values to another goroutine and back.
func PingPong(n int) float64 {
	there, back := make(chan int), make(chan int)
	go passOn(there, back)
	v := 0
	for v < n {
		there <- v
		v = <-back + 1
	}
	close(there)
	return float64(n)
}

const ringSize = 503

// Ring hands a token around a ring of 503 goroutines, n times in all, and returns where
// it stops.
func Ring(n int) float64 {
	first, done := make(chan int), make(chan int)
	link := func(in, out chan int, number int) {
		for token := range in {
			if token == 0 {
				done <- number
				break
			}
			out <- token - 1
		}
		close(out)
	}
	in := first
	for number := 1; number < ringSize; number++ {
		out := make(chan int)
		go link(in, out, number)
		in = out
	}
	go link(in, first, ringSize)
	first <- n
	return float64(<-done)
}

func numbers(out chan int, limit int) {
	for i := 2; i < limit; i++ {
		out <- i
	}
	close(out)
}

func filter(in, out chan int, prime int) {
	for i := range in {
		if i%prime != 0 {
			out <- i
		}
	}
	close(out)
}

// Sieve counts the primes below the limit by a chain of goroutines, one for each.
func Sieve(limit int) float64 {
	in := make(chan int)
	go numbers(in, limit)
	for count := 0; ; count++ {
		prime, ok := <-in
		if !ok {
			return float64(count)
		}
		out := make(chan int)
		go filter(in, out, prime)
		in = out
	}
}

func skynet(out chan int, number, size int) {
	if size <= 1 {
		out <- number
		return
	}
	below := make(chan int)
	for i := range 10 {
		go skynet(below, number+i*(size/10), size/10)
	}
	sum := 0
	for range 10 {
		sum += <-below
	}
	out <- sum
}

// Skynet adds up the numbers below n, a power of ten, by a tree of goroutines.
func Skynet(n int) float64 {
	out := make(chan int)
	go skynet(out, 0, n)
	return float64(<-out)
}
