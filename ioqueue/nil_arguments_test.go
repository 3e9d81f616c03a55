package ioqueue_test

import (
	"testing"

	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/ioqueue"
)

func TestNoExportedFunctionDereferencesANilArgument(t *testing.T) {
	var p niltest.Probe
	p.Func(t, "SlotOf", ioqueue.SlotOf)
	p.Methods(t, func() (any, func()) { return new(ioqueue.Cell), nil })
	p.Methods(t, func() (any, func()) { return ioqueue.Unknown, nil })
}
