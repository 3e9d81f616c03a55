package timeline_test

import (
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/recorder/timeline"
	"github.com/selvage-dev/selvage/scheduler"
)

// A scheduler whose fibers are drawn. The file would be one that ui.perfetto.dev opens.
func Example() {
	w := timeline.New(os.Stdout)
	r := recorder.New(recorder.Config{Exact: true, Each: w.Event, Clock: func() int64 { return 0 }}) // no instants, for the example
	cfg := scheduler.Config{}
	r.Configure(&cfg)
	s := scheduler.New[string](cfg)
	r.Attach(&s.Core)

	_, _ = s.SpawnWith("work", scheduler.Options{Name: "work"})
	s.Poll()
	s.ScheduleNext()
	_, _ = s.Exit(nil, nil)

	r.Flush()
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"displayTimeUnit":"ns","traceEvents":[
	// {"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"fibers"}},
	// {"ph":"M","pid":2,"tid":0,"name":"process_name","args":{"name":"scheduler"}},
	// {"ph":"M","pid":2,"tid":1,"name":"thread_name","args":{"name":"worker 0"}},
	// {"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"work f0.1"}},
	// {"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":1}},
	// {"ph":"X","pid":1,"tid":1,"ts":0,"dur":0,"name":"runs","cat":"slice","args":{"end":"ends"}},
	// {"ph":"X","pid":2,"tid":1,"ts":0,"dur":0,"name":"work f0.1","cat":"slice","args":{}},
	// {"ph":"C","pid":2,"tid":1,"ts":0,"name":"fibers","args":{"running":0,"ready":0,"blocked":0}}
	// ]}
}
