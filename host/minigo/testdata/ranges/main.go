// Command ranges goes over slices that change meanwhile: what a range goes over is what it was
// when the loop began.
package main

import "fmt"

func grown(s []int) (sum int) {
	for _, x := range s {
		s = append(s, x)
		sum += x
	}
	return sum*100 + len(s)
}

func shrunk(s []int) (seen int) {
	for i := range s {
		s = s[:len(s)-1]
		seen += i
	}
	return seen*100 + len(s)
}

func written(s []int) []int {
	for i, x := range s {
		if i+1 < len(s) {
			s[i+1] += x
		}
	}
	return s
}

func dropped(s []int) (sum int) {
	drop := func() { s = nil }
	for i, x := range s {
		if i == 1 {
			drop()
		}
		sum += x + len(s)
	}
	return sum
}

func reached(s []int) (sum int) {
	p := &s
	for _, x := range s {
		*p = (*p)[1:]
		sum += x * len(s)
	}
	return sum
}

func shadowed(s [][]int) (sum int) {
	for _, s := range s {
		for i := range s {
			s = s[1:]
			sum += i * len(s)
		}
	}
	return sum
}

func received(s []int) (sum int) {
	c := make(chan []int, 1)
	for _, x := range s {
		c <- []int{x, x}
		select {
		case s = <-c:
		default:
		}
		sum += x + len(s)
	}
	return sum
}

func named(s []int) (out []int) {
	defer func() { out = append(out, len(out)) }()
	out = s
	for i := range out {
		if i == 2 {
			return out[:i]
		}
	}
	return nil
}

func swapped(s, t []int) (sum int) {
	for i, x := range s {
		s, t = t, s
		sum += x * (i + len(t))
	}
	return sum
}

type stack []int

func (s *stack) push(x int) { *s = append(*s, x) }

func pushed(s stack) (sum int) {
	for _, x := range s {
		s.push(x)
		sum += x * len(s)
	}
	return sum
}

func ranged(s []int, others [][]int) (sum int) {
	for _, x := range s {
		for _, s = range others {
			sum += x * len(s)
		}
	}
	return sum*100 + len(s)
}

func filled(s []int) (sum int) {
	i := 0
	for i, s[0] = range s {
		sum += s[0] * i
	}
	return sum*100 + i
}

func before(s []int, i int) (sum int) {
	defer func() { fmt.Println(recover(), sum) }()
	for ; i < len(s); i++ {
		sum += s[i]
	}
	return sum
}

func overflowing(s []int, i, by int) (sum int) {
	defer func() { fmt.Println(recover(), sum) }()
	for ; i < len(s); i += by {
		s[i] = 1
		sum++
	}
	return sum
}

func main() {
	numbers := func() []int { return []int{1, 2, 3, 4, 5, 6} }
	for round := range 40 { // so that it becomes machine code
		if round > 0 && round < 39 {
			grown(numbers())
			shrunk(numbers())
			written(numbers())
			swapped(numbers(), numbers()[:2])
			ranged(numbers(), [][]int{nil, numbers()})
			filled(numbers())
			continue
		}
		fmt.Println(grown(numbers()), shrunk(numbers()), written(numbers()), dropped(numbers()))
		fmt.Println(reached(numbers()), shadowed([][]int{numbers(), nil, numbers()[:2]}), received(numbers()))
		fmt.Println(named(numbers()), named(nil), swapped(numbers(), numbers()[:2]), swapped(nil, numbers()))
		fmt.Println(pushed(numbers()), ranged(numbers(), [][]int{numbers(), nil, numbers()[:2]}), filled(numbers()))
		fmt.Println(before(numbers(), 3), before(numbers(), 6), before(nil, 0), before(numbers(), -1))
		const far = 1 << 62
		fmt.Println(overflowing(numbers(), 1, 2), overflowing(numbers(), 5, far), overflowing(numbers(), 0, -1))
		fmt.Println(overflowing(numbers(), 2, far+far-1), overflowing(numbers(), 3, far+far-4))
	}
}
