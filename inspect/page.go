package inspect

import (
	"embed"
	"net/http"
	"path"
)

// web has the page: plain modules that a browser loads as they are.
//
//go:embed web
var web embed.FS

// servePage answers with a file of the page.
func servePage(w http.ResponseWriter, r *http.Request) {
	name := path.Join("web", path.Clean(r.URL.Path))
	if r.URL.Path == "/" {
		name = "web/index.html"
	}
	text, err := web.ReadFile(name)
	kind := mediaType(path.Ext(name))
	if err != nil || kind == "" {
		refuse(w, http.StatusNotFound, "there is no "+r.URL.Path)
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(text)
}

// mediaType is the same on every machine, unlike that of the system's table.
func mediaType(ext string) string {
	switch ext {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return ""
}
