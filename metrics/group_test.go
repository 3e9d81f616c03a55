package metrics

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// steps is one Group with a name, below a parent, that has used some steps.
func steps(name string, parent *scheduler.Group, n int64) scheduler.GroupState {
	return scheduler.GroupState{Group: new(scheduler.Group), Parent: parent, Name: name, Spent: quota.Spent{Steps: n}, Limits: quota.Limits{Steps: 2 * n}}
}

func sum(name string, n int64) group {
	return group{name: name, spent: quota.Spent{Steps: n}, limits: quota.Limits{Steps: 2 * n}}
}

func TestGroupsOfOneNameAreAddedUp(t *testing.T) {
	a := steps("a", nil, 10)
	all := []scheduler.GroupState{a, steps("b", a.Group, 3), steps("a", nil, 5)}
	require.Equal(t, []group{sum("a", 15), sum("b", 3)}, sumByName(all, 10))
	require.Nil(t, sumByName(nil, 10))
}

// What a Group has used is in the numbers of those above it.
func TestAGroupBelowOneOfItsNameIsInThat(t *testing.T) {
	a := steps("a", nil, 10)
	b := steps("b", a.Group, 7)
	require.Equal(t, []group{sum("a", 10), sum("b", 7)}, sumByName([]scheduler.GroupState{a, b, steps("a", b.Group, 5)}, 10))
}

func TestNamesBeyondTheLimitAreLeftOut(t *testing.T) {
	all := []scheduler.GroupState{steps("a", nil, 1), steps("b", nil, 2), steps("c", nil, 4), steps("a", nil, 8)}
	require.Equal(t, []group{sum("a", 9), sum("b", 2)}, sumByName(all, 2))
}

// A guest chooses the names of its Groups.
func TestAnyNameIsALabel(t *testing.T) {
	require.Equal(t, "\uFFFD", label("\xff"))
	require.Len(t, label(strings.Repeat("x", 1000)), maxName)
	rapid.Check(t, func(t *rapid.T) {
		name := string(rapid.SliceOfN(rapid.Byte(), 0, 2*maxName).Draw(t, "name"))
		is := label(name)
		require.Equal(t, is, label(is))
		require.Equal(t, strings.ToValidUTF8(is, ""), is)
	})
}
