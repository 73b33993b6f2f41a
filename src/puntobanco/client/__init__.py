"""A client of the floor, for tests, bots and other programs: asynchronous, or plain."""

from puntobanco.client.asynchronous import AsyncClient, ClientError, Watched
from puntobanco.client.plain import Client

__all__ = ["AsyncClient", "Client", "ClientError", "Watched"]
