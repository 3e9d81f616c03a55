package main

import (
	"fmt"
	"math"
)

type weekday uint8

const (
	sunday weekday = iota
	monday
	tuesday
)

const (
	kb = 1 << (10 * (iota + 1))
	mb
)

func div(a, b int) (q, r int) { return a / b, a % b }

// shown prints when it is called.
func shown(x float64) float64 {
	fmt.Print("shown ", x, ", ")
	return x
}

func main() {
	var i8 int8 = 127
	i8++
	var u8 uint8
	u8--
	var i16 int16 = -32768
	i16--
	var u16 uint16 = 65535
	u16 += 2
	var i32 int32 = math.MaxInt32
	i32 *= 2
	var u32 uint32 = 1
	u32 -= 2
	var i64 int64 = math.MaxInt64
	i64++
	var u64 uint64
	u64--
	fmt.Println(i8, u8, i16, u16, i32, u32, i64, u64)
	fmt.Println(div(7, -2))
	fmt.Println(div(-7, 2))
	fmt.Println(u64/3, u64%10, u32/7, u32%7, int8(-128)/i8, -i8)
	fmt.Println(1<<10, -8>>1, uint8(200)>>3, u64>>60, int32(-1)>>31, 5&^4, 6^3, ^5, 12|3, 12&6)
	s := 70
	fmt.Println(1<<s, int64(-1)>>s, uint8(s)<<7<<1)
	fmt.Println(float32(0.1)+float32(0.2), 0.1+0.2, float32(16777216)+1, 1/3.0)
	x := 0.1
	fmt.Println(x+0.2, int(39.9*x), int(-x*25), uint8(int(x*30)), float32(x)*3)
	fmt.Println(math.Sqrt(2), math.Floor(-1.5), math.Inf(-1), math.NaN(), int64(math.MaxInt64), math.Pi)
	nan := math.NaN()
	fmt.Println(nan == nan, nan < 1, nan > 1, !(nan <= 1), nan != nan)
	if !(nan < 1) && !(nan >= 1) {
		fmt.Println("nan is not ordered")
	}
	fmt.Println(sunday, monday, tuesday, kb, mb, 'a', "é"[0], len("日本"))
	fmt.Println(min(3, 1, 2), max(2.5, 1), min("b", "a"))
	fmt.Println(min(1.0, shown(2), shown(0.5)), max(shown(3), shown(4)))
	var c uint = 3
	c <<= c
	c |= 1
	c ^= 0xff
	c &^= 0x10
	c %= 100
	fmt.Println(c, 0x1p-2, 1_000_000, 0b101, 0o17)
	fmt.Printf("%d %x %o %b %08.3f %e %g %v %c %U %q\n", -42, 255, 8, 5, 3.14159, 12345.678, 1e21, 1e20, 'x', 'x', 'x')
}
