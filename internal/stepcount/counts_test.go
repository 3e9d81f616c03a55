package stepcount_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/stepcount"
)

// The fibers of a slot follow each other; the sums of the latest are known.
func TestTheSumsAreThoseOfTheFibersThatLiveInTheSlots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var counts stepcount.Counts
		lives, want := [8]uint32{}, map[fiber.ID]uint64{}
		for range rapid.IntRange(0, 60).Draw(t, "turns") {
			slot := rapid.Uint32Range(0, 7).Draw(t, "slot")
			if lives[slot] == 0 || rapid.IntRange(0, 5).Draw(t, "new") == 0 {
				delete(want, fiber.NewRegularID(slot, lives[slot]).ID())
				lives[slot]++
			}
			id := fiber.NewRegularID(slot, lives[slot]).ID()
			steps := rapid.Int64Range(0, 100).Draw(t, "steps")
			counts.Add(id, steps)
			counts.Add(0, steps)
			want[id] += uint64(steps)
		}
		for id, steps := range want {
			require.Equal(t, steps, counts.Of(id))
		}
		require.Zero(t, counts.Of(fiber.NewRegularID(100, 1).ID()))
	})
}
