package scheduler

import (
	"testing"
	"unsafe"
)

func TestAHeaderIsTwentyFourBytesWithoutAPointer(t *testing.T) {
	if n := unsafe.Sizeof(header{}); n != 24 {
		t.Fatalf("a header is %d bytes", n)
	}
	if n := unsafe.Sizeof(Fiber[[40]byte]{}); n != 64 {
		t.Fatalf("a slot with 40 bytes of payload is %d bytes", n)
	}
}
