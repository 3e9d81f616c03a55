package minigo_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/profile"
)

// BenchmarkProfiled interprets each kernel with a profile and without, by turns, and reports the median of the
// ratios.
func BenchmarkProfiled(b *testing.B) {
	for name, body := range kernels() {
		program := compiled(b, name, kernel(body))
		took := func(p *profile.Profile) time.Duration {
			host, err := minigo.New(program, minigo.Config{JIT: minigo.JITOff, Profile: p})
			require.NoError(b, err)
			start := time.Now()
			require.NoError(b, host.Run(b.Context()))
			return time.Since(start)
		}
		b.Run(name, func(b *testing.B) {
			p := profile.Start(profile.Config{})
			defer p.Stop()
			var ratios []float64
			for b.Loop() {
				plain := took(nil)
				ratios = append(ratios, float64(took(p))/float64(plain))
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "profiled/plain")
		})
	}
}
