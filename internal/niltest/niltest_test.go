package niltest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/niltest"
)

func TestOnlyTheRefusalOfABrokenContractIsNoFault(t *testing.T) {
	var missing *strings.Builder
	require.Contains(t, niltest.Fault(panicOf(func() { missing.Len() })), "nil pointer")
	require.Contains(t, niltest.Fault(fmt.Errorf("wrapped: %w", panicOf(func() { missing.Len() }).(error))), "nil pointer")
	require.Contains(t, niltest.Fault("oh"), "no rule")
	require.Empty(t, niltest.Fault(errors.New("breaks rule ONE-OWNER (docs/invariants.md#one-owner): pass a function")))
}

func panicOf(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

type receiver struct{ calls *[]string }

func (r receiver) Three(a *int, n int, f func()) {
	*r.calls = append(*r.calls, fmt.Sprintf("%t %d %t", a != nil, n, f != nil))
}
func (r receiver) Variadic(fs ...func()) { *r.calls = append(*r.calls, fmt.Sprint(len(fs))) }
func (r receiver) Waits()                { *r.calls = append(*r.calls, "waits") }

func TestEveryCombinationWithANilIsTried(t *testing.T) {
	var calls []string
	used, within := 0, 0
	p := niltest.Probe{Good: []any{new(int), 7, func() {}}, Skip: []string{"Waits"}}
	p.Within = func(call func()) { within++; call() }
	p.Methods(t, func() (any, func()) { return receiver{&calls}, func() { used++ } })
	require.ElementsMatch(t, []string{
		"false 0 false", "false 0 true", "true 0 false",
		"false 7 false", "false 7 true", "true 7 false", "1",
	}, calls)
	require.Equal(t, "false 0 false", calls[0])
	require.Equal(t, 7, used)
	require.Equal(t, 8, within)
	p.Func(t, "Waits", receiver{&calls}.Waits)
	require.Equal(t, "waits", calls[7])
	require.Equal(t, 8, p.Calls)
}
