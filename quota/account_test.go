package quota_test

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/quota"
)

func ExampleAccount() {
	guest := quota.New("guest", quota.Limits{Steps: 150})
	request := guest.Child("request", quota.Limits{Steps: 100})
	fmt.Println(request.Take(quota.Steps, 100))
	fmt.Println(request.Take(quota.Steps, 1))
	fmt.Println(guest.Take(quota.Steps, 51))
	fmt.Println(guest.Spent().Steps, guest.Left(quota.Steps))
	// Output:
	// <nil>
	// the quota of request is used up: steps, limit 100
	// the quota of guest is used up: steps, limit 150
	// 100 50
}

func TestARefusalTakesNothingAndIsRemembered(t *testing.T) {
	guest := quota.New("guest", quota.Limits{Memory: 10})
	part := guest.Child("part", quota.Limits{})
	err := part.Take(quota.Memory, 11)
	var passed *quota.Error
	require.True(t, errors.As(err, &passed))
	require.Equal(t, quota.Error{Account: "guest", Resource: quota.Memory, Limit: 10}, *passed)
	require.Zero(t, guest.Spent())
	require.Equal(t, err, part.Passed())
	require.NoError(t, part.Take(quota.Memory, 10))
	require.EqualValues(t, math.MaxInt64, part.Left(quota.Steps))
}

// Time passes for an Account and for the one above it at once, so it is not summed up.
func TestTimeIsOfOneAccountAndReachesItsLimit(t *testing.T) {
	guest := quota.New("guest", quota.Limits{Time: 10})
	part := guest.Child("part", quota.Limits{Time: 5})
	require.EqualValues(t, 5, part.Limit(quota.Time))
	require.NoError(t, part.AddTime(4))
	require.Zero(t, guest.Spent())
	require.NoError(t, guest.AddTime(9))
	err := part.AddTime(1)
	require.EqualError(t, err, "the quota of part is used up: time, limit 5ns")
	require.Equal(t, err, part.Passed())
	require.NoError(t, guest.Passed())
}

// One goroutine learns of the end of a shared Account; none takes more than there is.
func TestASharedAccountIsUsedByManyGoroutines(t *testing.T) {
	guest := quota.New("guest", quota.Limits{Steps: 1000})
	var passed []error
	guest.Share(func(e *quota.Error) { passed = append(passed, e) })
	var all sync.WaitGroup
	taken := make([]int64, 8)
	for i := range taken {
		part := guest.Child("part", quota.Limits{})
		all.Go(func() {
			for part.Take(quota.Steps, 3) == nil {
				taken[i] += 3
			}
			part.Give(quota.Steps, part.Spent().Steps-taken[i])
		})
	}
	all.Wait()
	sum := int64(0)
	for _, n := range taken {
		sum += n
	}
	require.EqualValues(t, 999, sum)
	require.Equal(t, quota.Spent{Steps: 999}, guest.Spent())
	require.Equal(t, []error{guest.Passed()}, passed)
}

// Of a tree of accounts, each has spent what was taken below it, and none more than its limit.
func TestEachAccountHasTheSumOfThoseBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(0, 50)
		accounts := []*quota.Account{quota.New("", quota.Limits{Fibers: limit.Draw(t, "root")})}
		want := []int64{0}
		for range rapid.IntRange(0, 40).Draw(t, "calls") {
			at := rapid.IntRange(0, len(accounts)-1).Draw(t, "account")
			if rapid.Bool().Draw(t, "child") {
				accounts = append(accounts, accounts[at].Child("", quota.Limits{Fibers: limit.Draw(t, "limit")}))
				want = append(want, 0)
				continue
			}
			n := rapid.Int64Range(1, 9).Draw(t, "n")
			if left := accounts[at].Left(quota.Fibers); accounts[at].Take(quota.Fibers, n) == nil {
				require.LessOrEqual(t, n, left)
				for i, a := range accounts {
					if above(accounts[at], a) {
						want[i] += n
					}
				}
			} else {
				require.Greater(t, n, left)
			}
			for i, a := range accounts {
				require.Equal(t, want[i], a.Spent().Fibers)
			}
		}
	})
}

func above(a, b *quota.Account) bool {
	for ; a != nil; a = a.Parent() {
		if a == b {
			return true
		}
	}
	return false
}
