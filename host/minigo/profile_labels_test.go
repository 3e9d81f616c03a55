package minigo_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/profile"
)

const spinning = `package main

func Spin(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += i
	}
	return sum
}

func main() {
	done := make(chan int)
	go func() { done <- Spin(100) }()
	go func() { done <- Spin(50) }()
	<-done
	<-done
	Spin(20)
}
`

func TestAProfileLabelsSamplesWithTheirGoroutine(t *testing.T) {
	got := map[string]int64{}
	for _, s := range sampled(t, minigo.Config{}, spinning).Sample {
		if s.Location[0].Line[0].Function.Name == "main.Spin" {
			got[s.Label["fiber"][0]] += s.Value[1]
		}
	}
	require.Equal(t, map[string]int64{"f0.1": 19, "f1.1": 99, "f2.1": 49}, got)
}

func TestAProfileHasTheCallsOfAHost(t *testing.T) {
	p := profile.Start(profile.Config{Steps: 1})
	defer p.Stop()
	program, err := minigo.Compile(minigo.File{Name: "p.go", Text: []byte(spinning)})
	require.NoError(t, err)
	for range 2 { // Hosts may share a Profile
		h, err := minigo.New(program, minigo.Config{Profile: p})
		require.NoError(t, err)
		defer h.Close()
		_, err = h.Call(context.Background(), "Spin", 40)
		require.NoError(t, err)
	}
	require.Equal(t, map[string]int64{"main.Spin:5": 2 * 39}, stacks(p.Copy()))
}

func TestWhatCannotBeProfiledIsRefused(t *testing.T) {
	p := profile.Start(profile.Config{Steps: 1})
	defer p.Stop()
	watched, err := minigo.CompileWatched(minigo.File{Name: "p.go", Text: []byte(spinning)})
	require.NoError(t, err)
	_, err = minigo.New(watched, minigo.Config{Profile: p, Races: true})
	require.ErrorContains(t, err, "Config.Profile beside Races or AccessPoints")
	program, err := minigo.Compile(minigo.File{Name: "p.go", Text: []byte(spinning)})
	require.NoError(t, err)
	_, err = minigo.New(program, minigo.Config{Profile: p, JIT: minigo.JITEager})
	require.ErrorContains(t, err, "Config.Profile beside JITEager")
}
