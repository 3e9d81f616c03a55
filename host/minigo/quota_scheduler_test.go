package minigo_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/quota"
)

// TestFibersTimersAndTimeHaveQuotas uses too much of each, in ways that recover from panics.
func TestFibersTimersAndTimeHaveQuotas(t *testing.T) {
	const again = "defer func() { recover(); println(\"deferred\") }()\n"
	for _, c := range []struct {
		resource quota.Resource
		limits   quota.Limits
		body     string
	}{
		{quota.Fibers, quota.Limits{Fibers: 5}, "for { go func() { select {} }() }"},
		{quota.Fibers, quota.Limits{Fibers: 1}, "for { time.AfterFunc(1, func() {}) }"},
		{quota.Timers, quota.Limits{Timers: 5}, "for { time.NewTimer(time.Hour) }"},
		{quota.Timers, quota.Limits{Timers: 5}, "for range 9 { go time.Sleep(time.Hour) }; time.Sleep(2 * time.Hour)"},
		{quota.Timers, quota.Limits{Timers: 5}, "var ts []*time.Timer; for range 9 { t := time.NewTimer(time.Hour); t.Stop(); ts = append(ts, t) }; for _, t := range ts { t.Reset(time.Hour) }"},
		{quota.Time, quota.Limits{Time: time.Second}, "for { time.Sleep(time.Millisecond) }"},
		{quota.Time, quota.Limits{Time: time.Second}, "time.Sleep(time.Hour)"},
	} {
		for _, way := range ways() {
			way.Quota = c.limits
			out, err := run(t, "x.go", programOf("", again+c.body), way)
			var passed *quota.Error
			require.True(t, errors.As(err, &passed), "%s: %v", c.body, err)
			require.Equal(t, c.resource, passed.Resource, c.body)
			require.Empty(t, out, c.body)
		}
	}
}
