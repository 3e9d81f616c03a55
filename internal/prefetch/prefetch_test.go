package prefetch

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// Addresses are only a hint: none at all, one that is gone and one of nothing do no harm,
// and what is there stays as it is.
func TestAnyAddressMayBeAskedForAndNothingChanges(t *testing.T) {
	var all [Batch]uint64
	var lines Lines
	for i := range all {
		all[i] = uint64(i)
		if i%3 != 0 {
			lines[i] = unsafe.Pointer(&all[i])
		}
	}
	Load(&lines)
	for i := range all {
		assert.EqualValues(t, i, all[i])
	}
}
