package islands_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/islands"
	"github.com/selvage-dev/selvage/island"
)

// Which islands there are, each as its own owner reports it.
func ExampleOf() {
	r := new(island.Registry)
	for _, name := range []string{"front", "back"} {
		h, _ := island.Start(r, island.StartConfig[step]{Config: island.Config{Name: name, KeepAlive: true}, Machine: machine})
		defer func() {
			h.Shutdown(nil)
			_ = h.Wait(context.Background())
		}()
	}
	for _, p := range inspect.NewSetReport(context.Background(), islands.Of(r), inspect.Page{}).Parts {
		fmt.Println(p.Name, len(p.Report.Fibers))
	}
	// Output:
	// front 0
	// back 0
}
