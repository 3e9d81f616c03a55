package inspect_test

import (
	"os"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// A fiber waits for a message that nobody sends.
func ExampleNewReport() {
	s := scheduler.New[int](scheduler.Config{Site: func(fiber.RegularID) string { return "program.x:3" }})
	_, _ = s.SpawnWith(0, scheduler.Options{Name: "reader"})
	s.Poll()
	s.ScheduleNext()
	var messages wait.Chan[string]
	t := s.Arm(fiber.OnQueue(), messages.Source())
	_ = messages.ParkRecv(t, 0)
	s.Block()

	_ = inspect.NewReport(s.Inspect(), "deadlock").Write(os.Stdout)
	// Output:
	// {"version":1,"verdict":"deadlock","status":0,"transitions":2,"now":0,"fibers":[{"id":"f0.1","name":"reader","state":"blocked","reason":"queue","site":0}],"objects":[{"name":"chan (0 of 0 buffered, receivers waiting: 1, senders waiting: 0)"}],"edges":[{"fiber":"f0.1","object":0}],"sites":["program.x:3"],"cycle":[],"stuck":[["f0.1"]],"timers":{"on":0,"next":[]},"operations":{"submitted":0,"awaited":0,"complete":0,"abandoned":0,"first":0,"list":[]},"groups":[]}
}
