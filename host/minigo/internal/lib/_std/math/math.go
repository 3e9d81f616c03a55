// Package math is what minigo has of Go's.
package math

const (
	E      = 2.71828182845904523536028747135266249775724709369995957496696763
	Pi     = 3.14159265358979323846264338327950288419716939937510582097494459
	Phi    = 1.61803398874989484820458683436563811772030917980576286213544862
	Sqrt2  = 1.41421356237309504880168872420969807856967187537694807317667974
	SqrtE  = 1.64872127070012814684865078781416357165377610071014801157507931
	SqrtPi = 1.77245385090551602729816748334114518279754945612238712821380779
	Ln2    = 0.693147180559945309417232121458176568075500134360255254120680009
	Log2E  = 1 / Ln2
	Ln10   = 2.30258509299404568401799145468436420760110148862877297603332790
	Log10E = 1 / Ln10
)

const (
	MaxFloat32             = 0x1p127 * (1 + (1 - 0x1p-23))
	SmallestNonzeroFloat32 = 0x1p-126 * 0x1p-23
	MaxFloat64             = 0x1p1023 * (1 + (1 - 0x1p-52))
	SmallestNonzeroFloat64 = 0x1p-1022 * 0x1p-52

	MaxInt    = 1<<63 - 1
	MinInt    = -1 << 63
	MaxInt8   = 1<<7 - 1
	MinInt8   = -1 << 7
	MaxInt16  = 1<<15 - 1
	MinInt16  = -1 << 15
	MaxInt32  = 1<<31 - 1
	MinInt32  = -1 << 31
	MaxInt64  = 1<<63 - 1
	MinInt64  = -1 << 63
	MaxUint   = 1<<64 - 1
	MaxUint8  = 1<<8 - 1
	MaxUint16 = 1<<16 - 1
	MaxUint32 = 1<<32 - 1
	MaxUint64 = 1<<64 - 1
)

func Sqrt(x float64) float64
func Acos(x float64) float64
func Asin(x float64) float64
func Atan(x float64) float64
func Atan2(y, x float64) float64
func Cbrt(x float64) float64
func Ceil(x float64) float64
func Cos(x float64) float64
func Cosh(x float64) float64
func Exp(x float64) float64
func Exp2(x float64) float64
func Floor(x float64) float64
func Hypot(p, q float64) float64
func Log(x float64) float64
func Log10(x float64) float64
func Log1p(x float64) float64
func Log2(x float64) float64
func Mod(x, y float64) float64
func Pow(x, y float64) float64
func Remainder(x, y float64) float64
func Round(x float64) float64
func RoundToEven(x float64) float64
func Sin(x float64) float64
func Sinh(x float64) float64
func Tan(x float64) float64
func Tanh(x float64) float64
func Trunc(x float64) float64
func Copysign(f, sign float64) float64
func Float64bits(f float64) uint64
func Float64frombits(b uint64) float64
func Float32bits(f float32) uint32
func Float32frombits(b uint32) float32

func Abs(x float64) float64 { return Float64frombits(Float64bits(x) &^ (1 << 63)) }

func Inf(sign int) float64 {
	if sign >= 0 {
		return Float64frombits(0x7FF0000000000000)
	}
	return Float64frombits(0xFFF0000000000000)
}

func NaN() float64 { return Float64frombits(0x7FF8000000000001) }

func IsNaN(f float64) (is bool) { return f != f }

func IsInf(f float64, sign int) bool {
	return sign >= 0 && f > MaxFloat64 || sign <= 0 && f < -MaxFloat64
}

func Signbit(x float64) bool { return Float64bits(x)&(1<<63) != 0 }

func Max(x, y float64) float64 {
	if IsInf(x, 1) || IsInf(y, 1) { // also beside what is no number
		return Inf(1)
	}
	return max(x, y)
}

func Min(x, y float64) float64 {
	if IsInf(x, -1) || IsInf(y, -1) {
		return Inf(-1)
	}
	return min(x, y)
}

func Dim(x, y float64) float64 {
	if v := x - y; v > 0 || v != v {
		return v
	}
	return 0
}

func Modf(f float64) (int float64, frac float64) {
	int = Trunc(f)
	return int, Copysign(f-int, f)
}
