package sandbox_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"testing/fstest"

	"github.com/selvage-dev/selvage/sandbox"
)

func ExampleAccess_Network() {
	network, err := sandbox.Access{Dial: []string{"api.example.com:443", "10.1.0.0/16:*"}}.Network()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(network.Dial("tcp", "api.example.com:443"))
	fmt.Println(network.Dialed("api.example.com:443", "93.184.216.34:443"))
	fmt.Println(network.Dialed("api.example.com:443", "127.0.0.1:443"))
	fmt.Println(network.Dial("tcp", "10.1.2.3:5432"))
	fmt.Println(network.Dial("udp", "10.1.2.3:53"))
	// Output:
	// <nil>
	// <nil>
	// connect api.example.com:443: not allowed in this sandbox (its address is 127.0.0.1:443, which is not public and needs an entry of its own); Access.Dial allows it
	// <nil>
	// connect udp 10.1.2.3:53: not allowed in this sandbox (the network of a sandbox is tcp only); only sandbox.Process allows it
}

func ExampleAccess_Tree() {
	files := fstest.MapFS{"greeting": {Data: []byte("hello")}}
	tree, err := sandbox.Access{WorkDir: "/data", Dirs: []sandbox.Dir{{FS: files, Guest: "/data"}}}.Tree()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tree.Close()
	file, err := tree.OpenFile("greeting", os.O_RDONLY, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	fmt.Println(string(text), file.Name(), err)
	_, err = tree.Stat("/etc/passwd")
	fmt.Println(err, errors.Is(err, fs.ErrPermission))
	fmt.Println(tree.Remove("greeting"))
	// Output:
	// hello greeting <nil>
	// read /etc/passwd: not allowed in this sandbox; Access.Dirs allows it true
	// write greeting: not allowed in this sandbox (the directory is read only); Access.Dirs allows it
}

func ExampleAccess_Check() {
	fmt.Println(sandbox.Access{Dial: []string{"api.example.com"}}.Check())
	fmt.Println(sandbox.Access{Listen: []string{"::1:80"}}.Check())
	// Output:
	// sandbox: Access.Dial: "api.example.com": has no port; write api.example.com:443, or api.example.com:* for every port
	// sandbox: Access.Listen: "::1:80": write an IPv6 address in brackets, such as [::1]:80
}
