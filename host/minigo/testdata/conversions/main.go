package main

import "fmt"

// Conversions of floats that the integer type does not hold. Go leaves the results to the
// processor; minigo has those of amd64 on every one.

type small int16

type wide uint64

var zero float64

func values() []float64 {
	all := []float64{zero / zero, 1 / zero, -1 / zero, zero, -zero, 0.5, -0.5, 0.99, -0.99, 1, -1, 1.5, -1.5}
	for _, bits := range []int{8, 16, 31, 32, 40, 53, 63, 64, 1000} {
		edge := 1.0
		for range bits {
			edge *= 2
		}
		all = append(all, edge, -edge, edge-1, -edge-1, edge-0.5, -edge-0.5, edge+5, -edge-5, edge*1.5,
			edge*(1+1.0/(1<<52)), edge*-(1+1.0/(1<<52)), edge*(1-1.0/(1<<53)))
	}
	return all
}

func narrow(f float64) (int8, int16, int32, uint8, uint16, uint32, small) {
	return int8(f), int16(f), int32(f), uint8(f), uint16(f), uint32(f), small(f)
}

func broad(f float64) (int, int64, uint, uint64, uintptr, wide) {
	return int(f), int64(f), uint(f), uint64(f), uintptr(f), wide(f)
}

func narrow32(f float32) (int8, int16, int32, uint8, uint16, uint32, small) {
	return int8(f), int16(f), int32(f), uint8(f), uint16(f), uint32(f), small(f)
}

func broad32(f float32) (int, int64, uint, uint64, uintptr, wide) {
	return int(f), int64(f), uint(f), uint64(f), uintptr(f), wide(f)
}

func main() {
	for _, f := range values() {
		fmt.Println(f)
		fmt.Println(narrow(f))
		fmt.Println(broad(f))
		fmt.Println(narrow32(float32(f)))
		fmt.Println(broad32(float32(f)))
		sum := 0
		for i := range 3 { // where the results are not stored, but used at once
			sum += int(int32(f))>>i + int(uint8(f)) + int(int64(f))>>i + int(uint64(f)>>3)
		}
		fmt.Println(sum)
	}
}
