package minigo_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/quota"
)

// used is a program that takes steps of every kind and recovers from what it can.
const used = `
	defer func() { println("deferred", recover() != nil) }()
	m, s := map[string]int{}, ""
	for i := 3; i < 300; i++ {
		s += strings.Repeat("x", i)
		m[s]++
		if strings.Count(s, "xx")%7 == 0 {
			fmt.Println(len(s), m[s], []byte(s)[:3])
		}
	}
	println(len(m))`

// TestAProgramEndsAtExactlyTheStepAfterItsQuota measures how many steps a program takes, gives it these,
// and one less: in every mode, and whatever the slice.
func TestAProgramEndsAtExactlyTheStepAfterItsQuota(t *testing.T) {
	program := compiled(t, "used.go", string(programOf("", used)))
	steps := func(way minigo.Config) (string, quota.Spent, error) {
		var out bytes.Buffer
		way.Access.Stdout, way.Access.Stderr = &out, &out
		host, err := minigo.New(program, way)
		require.NoError(t, err)
		err = host.Run(t.Context())
		return out.String(), host.Spent(), err
	}
	whole, spent, err := steps(minigo.Config{})
	require.NoError(t, err)
	require.Positive(t, spent.Steps)
	for _, way := range append(ways(), minigo.Config{}) {
		out, all, err := steps(way)
		require.NoError(t, err)
		require.Equal(t, spent.Steps, all.Steps, "%+v", way)
		require.Equal(t, whole, out)

		way.Quota.Steps = spent.Steps
		out, _, err = steps(way)
		require.NoError(t, err, "%+v", way)
		require.Equal(t, whole, out)

		for _, limit := range []int64{spent.Steps - 1, spent.Steps / 2, 100, 1} {
			way.Quota.Steps = limit
			out, part, err := steps(way)
			var passed *quota.Error
			require.True(t, errors.As(err, &passed), "%v %+v", err, way)
			require.Equal(t, quota.Steps, passed.Resource)
			require.Equal(t, limit, passed.Spent.Steps)
			require.Equal(t, limit, part.Steps)
			require.NotContains(t, out, "deferred true")
			if limit < spent.Steps-1 {
				require.NotContains(t, out, "deferred")
			}
		}
	}
}

func TestOutputBeyondTheQuotaIsNotWritten(t *testing.T) {
	for _, body := range []string{`println("12345"); println("12345")`, `fmt.Println("12345"); fmt.Println("12345")`, `defer func() { recover(); println() }(); for { fmt.Print("1") }`} {
		for _, way := range ways() {
			way.Quota.Output = 10
			out, err := run(t, "x.go", programOf("", body), way)
			var passed *quota.Error
			require.True(t, errors.As(err, &passed), "%v", err)
			require.Equal(t, quota.Output, passed.Resource)
			require.LessOrEqual(t, len(out), 10)
			require.GreaterOrEqual(t, len(out), 6)
		}
	}
}
