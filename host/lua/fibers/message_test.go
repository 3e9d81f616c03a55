package fibers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// HTTP takes these names for equal: the last one counts, in every run.
func TestHeadersAreTakenInTheOrderOfTheTable(t *testing.T) {
	for range 20 {
		s := set(t, real(1000))
		s.play(`
			local s = http.serve("127.0.0.1:0", function()
				local h = {}
				for _, name in ipairs{ "x-a", "X-a", "x-A", "X-A" } do h[name] = name end
				return { headers = h }
			end)
			print(http.get("http://" .. s:addr()).headers["x-a"])`)
		require.Equal(t, "X-A\n", s.printed())
	}
}
