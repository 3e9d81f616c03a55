package main

import (
	"testing"
	"time"

	"github.com/selvage-dev/selvage/quota"
)

func TestSizesHaveUnits(t *testing.T) {
	for text, want := range map[string]size{
		"1": 1, "12B": 12, "3KB": 3000, "3KiB": 3072, "4MB": 4_000_000, "64MiB": 64 << 20, "1GB": 1e9, "2GiB": 2 << 30,
		"9223372036854775807": 1<<63 - 1, "8589934591GiB": 8589934591 << 30,
	} {
		var got size
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "0", "0MB", "-1", "-5MiB", "MB", "1.5GB", "64 MiB", "64M", "64mb", "64Kib", "64MiBB", "64MBMB", "1e6", "0x10", "many", "NaN", "inf",
		"9223372036854775808", "8589934592GiB", "99999999999GB", "1TB", "B", "iB", "12i",
	} {
		var got size
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}

func TestAQuotaThatMakesNoSenseIsRefusedWithWhatIsPossible(t *testing.T) {
	for _, c := range [][3]string{
		{"--max-steps", "0", `--max-steps: "0": want a number from 1`},
		{"--max-steps", "-7", `--max-steps: "-7": want a number from 1`},
		{"--max-steps", "many", `--max-steps: "many": want a number from 1`},
		{"--max-memory", "lots", `--max-memory: "lots": want a whole number and a unit, KB, MB, GB, KiB, MiB or GiB`},
		{"--max-output", "0", `--max-output: "0": want a whole number and a unit`},
		{"--max-time", "5", `--max-time: "5": want a time with its unit`},
		{"--max-time", "-1s", `--max-time: "-1s": want a time with its unit`},
	} {
		guest(t, "print()", c[0], c[1]).want(t, statusUsage, c[2])
	}
}

func TestTheFlagsAreTheLimits(t *testing.T) {
	f := quotaFlags{MaxSteps: 1, MaxMemory: 2, MaxOutput: 3, MaxTime: 4}
	want := quota.Limits{Steps: 1, Memory: 2, Output: 3, Time: 4 * time.Nanosecond}
	if got := f.limits(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
