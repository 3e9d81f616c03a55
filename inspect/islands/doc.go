// Package islands names the schedulers of islands and pools to package inspect, with the ports between them.
//
//	r := inspect.NewSetReport(ctx, islands.Of(registry), inspect.Page{})
//
// It owns nothing. What it never does: touch a scheduler from another goroutine than its owner's.
package islands
