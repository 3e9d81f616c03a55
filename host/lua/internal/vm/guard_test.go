//go:build !purego

package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// If this fails after an update of gopher-lua, programs still run, with gopher-lua's
// pcall and xpcall.
func TestTheGuardFitsThisGopherLua(t *testing.T) {
	require.NotNil(t, vm.NewGuard())
}
