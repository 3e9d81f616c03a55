package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// clientsOf is the variable that makes this program the clients of a server.
const clientsOf = "SELVAGE_BENCH_CLIENTS_OF"

// guests is a process of clients: it reads a number, makes that many requests, and reports when
// they are done.
type guests struct {
	cmd *exec.Cmd
	ask io.WriteCloser
	say *bufio.Reader
}

// invite starts the clients, and returns when each has received an answer.
func invite(address string) *guests {
	self := mustGet(os.Executable())
	g := &guests{cmd: exec.Command(self)}
	g.cmd.Env = append(os.Environ(), clientsOf+"="+address)
	g.cmd.Stderr = os.Stderr
	g.ask = mustGet(g.cmd.StdinPipe())
	out := mustGet(g.cmd.StdoutPipe())
	g.say = bufio.NewReader(out)
	must(g.cmd.Start())
	g.heard()
	return g
}

func (g *guests) heard() {
	if _, err := g.say.ReadString('\n'); err != nil {
		panic(fmt.Sprintf("bench: the clients: %v, %v", err, g.cmd.Wait()))
	}
}

// visit makes the clients send n requests and end, and returns the processor time this process
// took for them.
func (g *guests) visit(n int) time.Duration {
	runtime.GC()
	before := cpuTime()
	mustGet(fmt.Fprintln(g.ask, n))
	g.heard()
	used := cpuTime() - before
	must(g.ask.Close())
	must(g.cmd.Wait())
	return used
}

// actAsClients is the main function of a process that invite has started.
func actAsClients() bool {
	address := os.Getenv(clientsOf)
	if address == "" {
		return false
	}
	all := connect(address)
	each(all, len(all))
	fmt.Println("ready")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		n := mustGet(strconv.Atoi(strings.TrimSpace(in.Text())))
		each(all, n)
		fmt.Println("done")
	}
	for _, c := range all {
		must(c.conn.Close())
	}
	return true
}

// client has a connection that stays open.
type client struct {
	conn net.Conn
	in   *bufio.Reader
}

func connect(address string) []client {
	all := make([]client, 1000)
	for i := range all {
		c := mustGet(net.Dial("tcp", address))
		all[i] = client{c, bufio.NewReader(c)}
	}
	return all
}

// each has the clients make n requests together.
func each(all []client, n int) {
	var wait sync.WaitGroup
	for i, c := range all {
		wait.Go(func() {
			for range part(n, i, len(all)) {
				c.request()
			}
		})
	}
	wait.Wait()
}

func (c client) request() {
	mustGet(io.WriteString(c.conn, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"))
	answer := mustGet(http.ReadResponse(c.in, nil))
	body := mustGet(io.ReadAll(answer.Body))
	if string(body) != "hello" {
		panic(fmt.Sprintf("bench: the answer is %d %q", answer.StatusCode, body))
	}
}
