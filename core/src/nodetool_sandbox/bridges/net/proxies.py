"""A proxy that the embedder names. None is ever taken from the environment."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import unquote

from ada_url import URL


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """An HTTP proxy, reached by CONNECT. It is trusted: its own address is not checked."""

    host: str
    port: int
    is_secure: bool
    credentials: str = field(default="", repr=False)
    """The value of Proxy-Authorization, where there is one."""

    @classmethod
    def parse(cls, text: object) -> Proxy:
        """The proxy of a URL such as `http://user:password@proxy.example:3128`.

        Raises:
            TypeError: it is no text.
            ValueError: it is no URL of a proxy.
        """
        if not isinstance(text, str):
            raise TypeError(f"Fetch(proxy=...) takes a URL, not {type(text).__name__}")
        try:
            url = URL(text)
        except ValueError:
            url = None
        if url is None or url.protocol not in {"http:", "https:"} or not url.hostname:
            raise ValueError(
                "Fetch(proxy=...) takes the URL of an HTTP proxy, such as 'http://proxy.example:3128'"
            )
        is_secure = url.protocol == "https:"
        user = unquote(url.username) + ":" + unquote(url.password)
        return cls(
            host=url.hostname.removeprefix("[").removesuffix("]"),
            port=int(url.port) if url.port else 443 if is_secure else 80,
            is_secure=is_secure,
            credentials="Basic " + b64encode(user.encode()).decode() if user != ":" else "",
        )
