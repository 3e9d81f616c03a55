package command

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// maxPage is how many bytes of a page a program gets.
const maxPage = 1 << 20

// Page gets a page by HTTP. It blocks until the page is there, or until the context ends.
func Page(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", url, resp.Status)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxPage))
	return string(body), err
}
