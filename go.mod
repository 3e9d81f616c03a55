module github.com/selvage-dev/selvage

go 1.26
