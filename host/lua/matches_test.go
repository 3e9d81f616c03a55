package lua_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
)

// A fiber that is preempted in the middle of a search does not disturb another that uses the same
// iterator: each gets a match.
func TestFibersShareAnIteratorOfMatches(t *testing.T) {
	for _, slice := range []int64{1, 2, 3, 7, 100} {
		d := newDriver(t, lua.Config{}, slice)
		d.run(t, `
			local word = ("one two three four"):gmatch("(%a)%a*")
			local seen = {}
			for i = 1, 3 do
				fork(function() for w in word do seen[w] = true end end)
			end
			for w in word do seen[w] = true end
			for _ = 1, 100 do pause() end
			print(seen.o, seen.t, seen.f)`)
		require.Equal(t, "true\ttrue\ttrue\n", d.out.String(), slice)
	}
}

func TestAFiberIsPreemptedInTheMiddleOfAMatch(t *testing.T) {
	for _, call := range []string{
		`("a"):rep(40):find(("a*"):rep(30) .. "b")`,
		`("a"):rep(40):match(("a-"):rep(30) .. "b")`,
		`("a"):rep(40):gsub(("a?"):rep(30) .. ("a*"):rep(30) .. "b", "")`,
		`("a"):rep(40):gmatch(("(a*)"):rep(30) .. "b")()`,
	} {
		d := newDriver(t, lua.Config{}, 1000)
		f := d.start(t, call)
		for range 100 {
			require.True(t, d.step())
		}
		f.killed = errKilled
		for d.step() {
		}
		require.Equal(t, 100, f.polls, call)
	}
}
