package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

func try(f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("panic %T %v\n", r, r)
		}
	}()
	f()
}

func main() {
	for _, s := range []string{"", "0", "-0", "+5", "-", "+", "1_000", "_1", "0x1F", "0X1f", "0b101", "0o17", "017", "08", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", " 1", "1 ", "1e3", "٣", "0x", "0_7", "0x_1", "zz", "\xff", "99999999999999999999999"} {
		for _, b := range []int{0, 10, 16, 37, -1} {
			for _, bits := range []int{8, 64, 65} {
				if b != 0 && b != 10 && bits != 64 {
					continue
				}
				i, err := strconv.ParseInt(s, b, bits)
				u, err2 := strconv.ParseUint(s, b, bits)
				fmt.Println(i, err, u, err2)
			}
		}
		if len(s) > 9 { // what an int holds depends on the host that Go compiles for
			continue
		}
		i, err := strconv.Atoi(s)
		fmt.Println(i, err)
		var ne *strconv.NumError
		if errors.As(err, &ne) {
			fmt.Println(ne.Func, ne.Num, ne.Err, errors.Is(err, strconv.ErrRange), errors.Is(err, strconv.ErrSyntax))
		}
	}
	for _, s := range []string{"", "0", "-0", "1.5", ".5", "5.", ".", "1e400", "-1e400", "1e-400", "inf", "-Inf", "+infinity", "nan", "NaN", "-nan", "0x1p-2", "0x1.8p1", "0x1", "1_0.5", "1e", "1e+", "1e5", "1E5", "1.7976931348623159e308", "3.4028236e38", "4.9e-324", " 1", "1f", "0b1", "infx", "1e1000000000000", "0.1"} {
		for _, bits := range []int{64, 32, 0, 16} {
			f, err := strconv.ParseFloat(s, bits)
			fmt.Println(f, err, math.Signbit(f))
		}
		b, err := strconv.ParseBool(s)
		fmt.Println(b, err)
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, 1.5, 123456789, 1e20, 1e21, 1e22, 1e-5, 1e-4, math.Inf(1), math.NaN(), math.MaxFloat64, 5e-324, 0.1, 100, 2.5, 3.5} {
		for _, v := range []byte("efgGEbxX") {
			for _, p := range []int{-1, 0, 1, 3, 20, -5} {
				fmt.Print(strconv.FormatFloat(f, v, p, 64), " ", strconv.FormatFloat(f, v, p, 32), " ")
			}
		}
		fmt.Println(strconv.FormatFloat(f, 'z', 2, 64))
	}
	try(func() { strconv.FormatFloat(1, 'f', 1, 16) })
	for _, b := range []int{2, 8, 10, 16, 36} {
		fmt.Println(strconv.FormatInt(-255, b), strconv.FormatUint(1<<64-1, b), strconv.FormatInt(-1<<63, b))
	}
	try(func() { strconv.FormatInt(1, 1) })
	try(func() { strconv.FormatInt(1, 37) })
	try(func() { strconv.FormatUint(1, 0) })
	try(func() { strconv.FormatInt(100, -1) })
	for _, s := range []string{"", "a", "\"", "`", "'", "\xff", "é\u200b\x00\x7f\n", "\U0010ffff", "\ufffd", "\u00a0"} {
		fmt.Println(strconv.Quote(s))
	}
	for _, r := range []rune{'a', '\'', '"', 0xfffd, -1, 0x110000, 0xd800, '\n', 'é', 0x200b} {
		fmt.Println(strconv.QuoteRune(r))
	}
	for _, s := range []string{`"a"`, `'a'`, "`a`", `"\xff"`, `"\u00e9"`, `"a`, ``, `a`, `'ab'`, `"\q"`, "`\r`", `"\'"`, `'\''`, `'\"'`, "\"\n\"", `"\400"`, `"\ud800"`} {
		t, err := strconv.Unquote(s)
		fmt.Printf("%q %v\n", t, err)
	}
	fmt.Println(string(strconv.AppendInt([]byte("x"), -5, 10)), string(strconv.AppendQuote(nil, "q\"")), strconv.Itoa(math.MinInt32), strconv.FormatBool(true))
}
