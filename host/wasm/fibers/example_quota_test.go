package fibers_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/quota"
)

// A program in an endless loop ends when its steps are used up.
func ExampleHost_Spent() {
	host, err := fibers.New(fibers.Config{Quota: quota.Limits{Steps: 1_000_000}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	_, err = host.Run(context.Background(), "loops.wasm", asm.Assemble("func run () export loop br 0 end end"))
	var passed *quota.Error
	fmt.Println(errors.As(err, &passed), passed)
	fmt.Println(host.Spent().Steps)
	// Output:
	// true the quota is used up: steps, limit 1000000
	// 1000000
}
