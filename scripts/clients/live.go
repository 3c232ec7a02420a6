// Creates a link with the generated client: live ADDRESS KEY
package main

import (
	"context"
	"fmt"
	"os"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	address, key := os.Args[1], os.Args[2]
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: address}}
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, key)
	input := openapi.NewCreateLinkInput("https://bücher.example/")
	links := openapi.NewAPIClient(configuration).LinksAPI
	link, _, err := links.V1CreateLink(ctx).CreateLinkInput(*input).Execute()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if stored := link.GetDestinationUrl(); stored != "https://xn--bcher-kva.example/" {
		fmt.Fprintln(os.Stderr, stored)
		os.Exit(1)
	}
}
