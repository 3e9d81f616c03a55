package workload

const (
	mandelbrotSize  = 32
	mandelbrotLimit = 50
)

func inside(cr, ci float64) int {
	var r, i, r2, i2 float64
	for n := range mandelbrotLimit {
		if r2+i2 > 4 {
			return n
		}
		i = 2*r*i + ci
		r = r2 - i2 + cr
		r2 = r * r
		i2 = i * i
	}
	return mandelbrotLimit
}

func mandelbrot() int {
	sum := 0
	for y := range mandelbrotSize {
		ci := 2*float64(y)/mandelbrotSize - 1
		for x := range mandelbrotSize {
			sum += inside(2*float64(x)/mandelbrotSize-1.5, ci)
		}
	}
	return sum
}

// Mandelbrot counts the steps of 32 by 32 points until they leave, at most 50 each.
func Mandelbrot(rounds int) float64 {
	sum := 0
	for range rounds {
		sum += mandelbrot()
	}
	return float64(sum)
}
