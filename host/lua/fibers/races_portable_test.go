//go:build purego

package fibers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABuildThatCannotWatchProgramsSaysSo(t *testing.T) {
	h := New(Config{Races: true})
	defer h.Close()
	_, err := h.Run(t.Context(), strings.NewReader("return 1"), "p.lua")
	require.ErrorIs(t, err, errNotWatched)
}
