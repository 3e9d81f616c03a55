//go:build !purego

package lua_test

import (
	"testing"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/profile"
)

// BenchmarkProfiled runs programs with a profile and without, by turns, and reports the median of the ratios.
func BenchmarkProfiled(b *testing.B) {
	for _, program := range benchmarks {
		b.Run(program.name, func(b *testing.B) {
			p := profile.Start(profile.Config{})
			defer p.Stop()
			r := &race{base: inState(b, lua.Config{}, program.source, false), hosted: inState(b, lua.Config{Profile: p}, program.source, false)}
			defer r.close()
			for b.Loop() {
				r.round()
			}
			b.ReportMetric(r.ratio(), "profiled/plain")
		})
	}
}
