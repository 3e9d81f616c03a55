package lua

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const numbers = "math.random(1000) .. ' ' .. math.random(-5, 5) .. ' ' .. math.random()"

func TestEachStateHasItsOwnRandomNumbers(t *testing.T) {
	a, b := New(Config{}), New(Config{})
	defer a.Close()
	defer b.Close()
	first := value(t, a, numbers)
	value(t, a, "(math.randomseed(7))")
	assert.Equal(t, first, value(t, b, numbers), "the fixed sequence, which another State does not change")
	assert.NotEqual(t, first, value(t, b, numbers))
	seeded := value(t, a, numbers)
	value(t, b, "(math.randomseed(7))")
	assert.Equal(t, seeded, value(t, b, numbers))
}

func TestRandomNumbersComeFromTheSourceOfTheConfig(t *testing.T) {
	of := func(source string) string {
		s := New(Config{Random: strings.NewReader(source)})
		defer s.Close()
		return value(t, s, numbers)
	}
	assert.Equal(t, of("12345678"), of("12345678"))
	assert.NotEqual(t, of("12345678"), of("12345679"))
	s := New(Config{Random: strings.NewReader("short")})
	defer s.Close()
	assert.ErrorContains(t, s.Base().DoString("math.random()"), "the source of random numbers: unexpected EOF")
}

func TestRandomNumbersAreInTheirInterval(t *testing.T) {
	s := New(Config{})
	defer s.Close()
	assert.Equal(t, "true", value(t, s, `(function()
		local seen = {}
		for i = 1, 1000 do
			local n = math.random(-1, 2)
			seen[n] = true
			if n < -1 or n > 2 or n % 1 ~= 0 or math.random(1) ~= 1 then return false end
		end
		return seen[-1] and seen[0] and seen[1] and seen[2]
	end)()`))
}
