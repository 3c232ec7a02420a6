"""Creates a link with each of the two Python clients: live.py CLIENT ADDRESS KEY."""

import sys

DESTINATION = "https://bücher.example/"
STORED = "https://xn--bcher-kva.example/"


def openapi_python_client(address: str, key: str) -> str:
    from openapi_python_client_output import AuthenticatedClient
    from openapi_python_client_output.api.links import v_1_create_link
    from openapi_python_client_output.models import CreateLinkInput

    client = AuthenticatedClient(base_url=address, token=key, raise_on_unexpected_status=True)
    link = v_1_create_link.sync(client=client, body=CreateLinkInput(destination_url=DESTINATION))
    return link.destination_url


def openapi_generator(address: str, key: str) -> str:
    from openapi_client import ApiClient, Configuration, CreateLinkInput, LinksApi

    with ApiClient(Configuration(host=address, access_token=key)) as client:
        link = LinksApi(client).v1_create_link(CreateLinkInput(destination_url=DESTINATION))
    return link.destination_url


clients = {"openapi-python-client": openapi_python_client, "python": openapi_generator}
stored = clients[sys.argv[1]](*sys.argv[2:])
assert stored == STORED, stored
