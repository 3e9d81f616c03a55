package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/wallclock"
)

// switches are the voluntary context switches of all threads of a process so far.
func switches(t *testing.T, process int) (sum int) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", process))
	if err != nil || len(tasks) == 0 {
		t.Fatal(tasks, err)
	}
	for _, task := range tasks {
		status, err := os.Open(task)
		if err != nil {
			continue // it has ended meanwhile
		}
		for lines := bufio.NewScanner(status); lines.Scan(); {
			var n int
			if _, err := fmt.Sscanf(lines.Text(), "voluntary_ctxt_switches: %d", &n); err == nil {
				sum += n
			}
		}
		_ = status.Close()
	}
	return sum
}

// visitors have been answered, and keep their connections for the next request.
func visitors(t *testing.T, address string, n int) {
	t.Helper()
	for range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if _, err := fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: here\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatal(answer, err)
		}
		_ = answer.Body.Close()
	}
}

// A server with connections that say nothing uses no CPU: neither its loop, nor its workers, nor
// a goroutine for each connection look now and then whether something has come.
func TestAnIdleServerWithOpenConnectionsSleeps(t *testing.T) {
	cmd := startTelling(t, `
		local s = http.serve("127.0.0.1:0", function() fiber.sleep(0.001) return "hello" end)
		local f = io.open("address", "w") f:write(s:addr()) f:close()
		fiber.spawn(fiber.sleep, 3600)
		fiber.spawn(function() io.read("*l") end)
		print("up")
		s:wait()`, os.Stderr)
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	address, err := os.ReadFile("address")
	if err != nil {
		t.Fatal(err)
	}
	visitors(t, string(address), 100)
	idle, most := time.Second, 2
	if long.Full() {
		idle, most = 5*time.Second, 10
	}
	clock, slept := wallclock.New(), most+1
	for try := 0; try < 4 && slept > most; try++ { // Go's collector may have something left to do at first
		before := switches(t, cmd.Process.Pid)
		clock.Wait(t.Context(), clock.Now().After(idle), nil)
		slept = switches(t, cmd.Process.Pid) - before
		t.Logf("idle for %v: %d voluntary switches", idle, slept)
	}
	if slept > most {
		t.Errorf("never idle: %d voluntary switches in %v, want at most %d", slept, idle, most)
	}
}
