package minigo_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/quota"
)

// A call that passes its quota ends, and the Host continues.
func ExampleLimited() {
	host := answering()
	defer host.Close()
	ctx := context.Background()
	fmt.Println(host.Call(ctx, "Answer"))
	_, err := host.Call(ctx, minigo.Limited{Func: "Spin", Quota: quota.Limits{Steps: 1000}})
	var passed *quota.Error
	fmt.Println(errors.As(err, &passed), passed)
	fmt.Println(host.Call(ctx, "Answer"))
	// Output:
	// [42] <nil>
	// true the quota of Spin is used up: steps, limit 1000
	// [42] <nil>
}

// A program with a rate uses no more steps in a second of the scheduler's clock.
func ExampleHost_Group() {
	host := answering()
	defer host.Close()
	host.Group().SetRate(1000)
	_, err := host.Call(context.Background(), minigo.Limited{Func: "Spin", Quota: quota.Limits{Steps: 60_000}})
	fmt.Println(errors.As(err, new(*quota.Error)))
	fmt.Println(time.Duration(host.Scheduler().Now()).Round(20 * time.Second))
	// Output:
	// true
	// 1m0s
}
