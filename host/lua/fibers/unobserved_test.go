package fibers_test

import (
	"context"
	"strings"
	"testing"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/scheduler"
)

// listening is a host that reports failures that were not joined.
func listening(told func(*scheduler.UnobservedError)) *fibers.Host {
	var cfg fibers.Config
	cfg.Runtime.Unobserved = told
	return fibers.New(cfg)
}

func TestEndlessFailuresAreReportedDuringTheRunAndNotKept(t *testing.T) {
	const failures = 5000
	told, onTheWay := 0, 0
	h := listening(func(*scheduler.UnobservedError) { told++ })
	defer h.Close()
	L := h.State().Base()
	L.SetGlobal("look", L.NewFunction(func(*glua.LState) int { onTheWay = told; return 0 }))
	program := `for i = 1, 5000 do fiber.spawn(error, "boom") fiber.yield() end look()`
	if _, err := h.Run(context.Background(), strings.NewReader(program), "fails.lua"); err != nil {
		t.Fatal(err)
	}
	if told != failures || onTheWay < failures/3 {
		t.Fatalf("%d of %d failures were told, %d of them on the way", told, failures, onTheWay)
	}
}
