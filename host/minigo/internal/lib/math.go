package lib

import (
	"math"
	"math/rand"
	randv2 "math/rand/v2"
)

func mathNatives() map[string]Func {
	table := map[string]Func{
		"math.Float64bits":     func(c *Call) { c.ReturnWord(c.Word()) }, // a float64 is a word of these bits
		"math.Float64frombits": func(c *Call) { c.ReturnWord(c.Word()) },
		"math.Float32bits":     func(c *Call) { c.ReturnWord(uint64(math.Float32bits(float32(c.Float())))) },
		"math.Float32frombits": func(c *Call) { c.ReturnFloat(float64(math.Float32frombits(uint32(c.Word())))) },
		"math/rand.seed":       seedSource,
		"math/rand.int63":      int63,
	}
	for name, f := range map[string]func(float64) float64{
		"Sqrt": math.Sqrt, "Acos": math.Acos, "Asin": math.Asin, "Atan": math.Atan, "Cbrt": math.Cbrt, "Ceil": math.Ceil,
		"Cos": math.Cos, "Cosh": math.Cosh, "Exp": math.Exp, "Exp2": math.Exp2, "Floor": math.Floor, "Log": math.Log,
		"Log10": math.Log10, "Log1p": math.Log1p, "Log2": math.Log2, "Round": math.Round, "RoundToEven": math.RoundToEven,
		"Sin": math.Sin, "Sinh": math.Sinh, "Tan": math.Tan, "Tanh": math.Tanh, "Trunc": math.Trunc,
	} {
		table["math."+name] = func(c *Call) { c.ReturnFloat(f(c.Float())) }
	}
	for name, f := range map[string]func(float64, float64) float64{
		"Atan2": math.Atan2, "Hypot": math.Hypot, "Mod": math.Mod, "Pow": math.Pow, "Remainder": math.Remainder, "Copysign": math.Copysign,
	} {
		table["math."+name] = func(c *Call) { c.ReturnFloat(f(c.Float(), c.Float())) }
	}
	return table
}

// seedSource makes a source of random numbers.
func seedSource(c *Call) {
	c.Alloc(sourceBytes)
	c.Spend(sourceBytes)
	c.ReturnRef(rand.NewSource(int64(c.Word())))
}

// int63 draws from the program's seeded source, or from that of the run.
func int63(c *Call) {
	if src, ok := c.Ref().(rand.Source); ok {
		c.ReturnWord(uint64(src.Int63()))
		return
	}
	if choices := c.Core.Choices(); choices.On() && !c.seeded {
		c.seeded = true
		c.Random = randv2.New(randv2.NewPCG(choices.Uint64N(exploredSeeds), 0))
	}
	c.ReturnWord(c.Random.Uint64() >> 1)
}

// exploredSeeds is how many sequences an explored program can get, whose runs would all have the same one.
const exploredSeeds = 64
