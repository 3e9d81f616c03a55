package inspect_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
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

// A program serves its own inspector, and keeps it when the run has ended.
func ExampleNew() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.SpawnWith(0, scheduler.Options{Name: "reader"})
	listener, err := inspect.Listen("127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	inspector := inspect.New(inspect.Config{Core: &s.Core, Program: "demo"})
	server, err := inspect.Serve(listener, inspector)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()

	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel() // ends Hold
		response, err := http.Get(listener.URL("") + "api/v1/fibers")
		if err != nil {
			fmt.Println(err)
			return
		}
		defer response.Body.Close()
		_, _ = io.Copy(os.Stdout, response.Body)
	}()
	inspector.End("done", "") // s.Run would come before
	inspector.Hold(ctx)
	// Output:
	// {"transitions":1,"read_at":1,"now":0,"total":1,"matched":1,"offset":0,"fibers":[{"id":"f0.1","name":"reader","state":"runnable","waits":[]}]}
}
