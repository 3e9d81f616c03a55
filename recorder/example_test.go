package recorder_test

import (
	"context"
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// A fiber sends to another one, which is kept as four events.
func Example() {
	r := recorder.New(recorder.Config{Exact: true, Clock: func() int64 { return 0 }}) // no instants, for the example
	cfg := scheduler.Config{}
	r.Configure(&cfg)
	rt := stackful.New(stackful.Config{Config: cfg})
	defer rt.Close()
	r.Attach(&rt.Scheduler().Core)

	jobs := wait.NewChan[int](0)
	jobs.SetName("jobs")
	_, _ = rt.Go("reader", func(f *stackful.Fiber) (any, error) {
		job, _, err := stackful.Recv(f, jobs)
		return job, err
	})
	_, _ = rt.Go("writer", func(f *stackful.Fiber) (any, error) {
		return nil, stackful.Send(f, jobs, 1)
	})
	fmt.Println(rt.Run(context.Background()))
	_ = r.Dump(os.Stdout, 0)
	// Output:
	// <nil>
	//           0s  f0.1 "reader" begins
	//           0s  f1.1 "writer" begins
	//           0s  f0.1 "reader" blocks on chan "jobs" at recorder/example_test.go:26
	//           0s  f0.1 "reader" wakes up, by f1.1 "writer"
	//           0s  f1.1 "writer" ends
	//           0s  f0.1 "reader" ends
}
