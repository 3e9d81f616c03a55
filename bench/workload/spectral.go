package workload

import "math"

const spectralSize = 32

func entry(i, j int) float64 {
	return 1 / float64((i+j)*(i+j+1)/2+i+1)
}

func timesMatrix(v, out []float64) {
	for i := range out {
		sum := 0.0
		for j := range v {
			sum += entry(i, j) * v[j]
		}
		out[i] = sum
	}
}

func timesTransposed(v, out []float64) {
	for i := range out {
		sum := 0.0
		for j := range v {
			sum += entry(j, i) * v[j]
		}
		out[i] = sum
	}
}

func spectralNorm() float64 {
	u, v, w := make([]float64, spectralSize), make([]float64, spectralSize), make([]float64, spectralSize)
	for i := range u {
		u[i] = 1
	}
	for range 5 {
		timesMatrix(u, w)
		timesTransposed(w, v)
		timesMatrix(v, w)
		timesTransposed(w, u)
	}
	var uv, vv float64
	for i := range u {
		uv += u[i] * v[i]
		vv += v[i] * v[i]
	}
	return math.Sqrt(uv / vv)
}

// Spectral computes the spectral norm of a matrix of 32 by 32, with 20,480 of its entries.
func Spectral(rounds int) float64 {
	sum := 0.0
	for range rounds {
		sum += spectralNorm()
	}
	return sum
}
