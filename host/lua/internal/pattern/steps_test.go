package pattern_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// A match that would take longer than the age of the universe ends its time slices.
func TestAMatchThatTakesTooLongEndsItsTimeSlices(t *testing.T) {
	const enough = 1000
	ended := 0
	var m *vm.Meter
	m = vm.New(vm.Context, 1, func() {
		if ended++; ended == enough {
			panic(enough) // the fiber is killed
		}
		m.Left = 99
	})
	require.PanicsWithValue(t, enough, func() {
		all(m, strings.Repeat("a*", 30)+"b", strings.Repeat("a", 40), 0, 1)
	})
}

// Each byte of the text and of the pattern takes a step at least.
func TestAMatchTakesAStepForEachByte(t *testing.T) {
	text := strings.Repeat("a", 1000)
	for _, p := range []string{"b", "a*b", "a-b", ".-$", "[^a]", "a?b", "(a*)%1b", "%bab", "%f", "()b", "^a*$", strings.Repeat("a", 1000)} {
		m, ended := metered(1)
		all(m, p, text, 0, 1)
		require.GreaterOrEqual(t, *ended, int64(999+len(p)-2), p)
	}
}

func TestAPatternOutOfAllProportionIsAnError(t *testing.T) {
	for p, message := range map[string]string{
		strings.Repeat("(", 3_000_000):         "pattern has too many captures",
		strings.Repeat("()", 1001):             "pattern has too many captures",
		strings.Repeat("a", 1<<20+1):           "pattern too long",
		"[" + strings.Repeat("a", 1<<20) + "]": "pattern too long",
		strings.Repeat("a*", 1<<15):            "pattern/input too complex",
	} {
		m, _ := metered(10_000)
		require.Equal(t, message, all(m, p, "a", 0, 1))
	}
}
