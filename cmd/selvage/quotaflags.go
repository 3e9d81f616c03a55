package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/quota"
)

// quotaFlags say how much a program may use.
type quotaFlags struct {
	MaxSteps  count `group:"Quotas:" help:"How many instructions the program may execute; the work of library functions counts too." placeholder:"N"`
	MaxMemory size  `group:"Quotas:" help:"How much memory the program may have, such as 64MiB; docs/embedding.md says what is counted." placeholder:"SIZE"`
	MaxOutput size  `group:"Quotas:" help:"How much the program may write to its standard output and error." placeholder:"SIZE"`
	MaxTime   span  `group:"Quotas:" help:"How long the program may run, such as 1.5s or 2m; with --virtual it is virtual time, which stands still while a program is busy." placeholder:"TIME"`
}

// limits are the quotas; 0 is none.
func (f quotaFlags) limits() quota.Limits {
	return quota.Limits{
		Steps: int64(f.MaxSteps), Memory: int64(f.MaxMemory), Output: int64(f.MaxOutput), Time: time.Duration(f.MaxTime),
	}
}

// The values of the flags, none of which can be 0.
type (
	count int64
	size  int64
	span  time.Duration
)

// UnmarshalText parses a number from 1.
func (c *count) UnmarshalText(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 1 {
		return fmt.Errorf("%q: want a number from 1; without the flag there is no limit", text)
	}
	*c = count(n)
	return nil
}

// UnmarshalText parses a size such as 64MiB; without a unit it is in bytes.
func (s *size) UnmarshalText(text []byte) error {
	number := strings.TrimRight(string(text), "KMGiB")
	unit, known := map[string]int64{
		"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
	}[string(text)[len(number):]]
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || !known || n < 1 || n > math.MaxInt64/unit {
		return fmt.Errorf("%q: want a whole number and a unit, KB, MB, GB, KiB, MiB or GiB, such as 64MiB", text)
	}
	*s = size(n * unit)
	return nil
}

// UnmarshalText parses a duration as Go does.
func (s *span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d <= 0 {
		return fmt.Errorf("%q: want a time with its unit, such as 500ms, 1.5s or 2m; without the flag there is no limit", text)
	}
	*s = span(d)
	return nil
}

// quotaFlag names the flag for a quota that was passed.
func quotaFlag(err error) string {
	var passed *quota.Error
	if !errors.As(err, &passed) {
		return ""
	}
	switch passed.Resource {
	case quota.Steps:
		return "--max-steps N"
	case quota.Memory:
		return "--max-memory SIZE"
	case quota.Output:
		return "--max-output SIZE"
	case quota.Time:
		return "--max-time TIME"
	}
	return ""
}
