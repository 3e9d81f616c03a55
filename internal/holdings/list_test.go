package holdings_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/internal/holdings"
)

// plain is the definition: a slice that is searched from its end.
type plain []int

func (p *plain) remove(x int) bool {
	for i, y := range slices.Backward(*p) {
		if x == y {
			*p = slices.Delete(*p, i, i+1)
			return true
		}
	}
	return false
}

func contents(l *holdings.List[int]) []int {
	all := slices.Collect(l.Backward())
	slices.Reverse(all)
	return all
}

func TestAListDoesWhatASearchedSliceDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got holdings.List[int]
		var want plain
		for range rapid.IntRange(0, 10*holdings.Small).Draw(t, "steps") {
			x := 1 + rapid.IntRange(0, 3*holdings.Small).Draw(t, "element")
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0, 1:
				require.Equal(t, want.remove(x), got.Remove(x))
			case 2:
				if len(want) > 0 { // one that is there, anywhere
					x = want[rapid.IntRange(0, len(want)-1).Draw(t, "place")]
					require.Equal(t, want.remove(x), got.Remove(x))
				}
			case 3:
				if newest := got.Newest(); newest != nil {
					require.Equal(t, want[len(want)-1], *newest)
					got.RemoveNewest()
					want = want[:len(want)-1]
				}
			case 4:
				got.AddOldest(x)
				want = slices.Insert(want, 0, x)
			default:
				got.Add(x)
				want = append(want, x)
			}
			require.Equal(t, len(want), got.Len())
			require.True(t, slices.Equal(want, contents(&got)), "%v, want %v", contents(&got), want)
		}
		got.Clear()
		require.Zero(t, got.Len())
		require.Empty(t, contents(&got))
	})
}
