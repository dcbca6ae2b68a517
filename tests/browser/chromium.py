"""Chromium without a window, spoken to by its own protocol over two pipes: no driver, no port."""

import asyncio
import base64
import itertools
import json
import os
import shutil
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome")
"""What it is called, where it is installed."""

ANSWER_WITHIN: Final = 60.0

_ARGUMENTS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    *("--remote-debugging-pipe", "--proxy-server=127.0.0.1:9"),  # pages of ours need no network, and get none
)
_LARGEST_MESSAGE: Final = 64 * 2**20


def installed() -> str | None:
    """The program, where there is one."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Page:
    """A page that is open."""

    def __init__(self, asked: asyncio.StreamWriter, told: asyncio.StreamReader) -> None:
        self._asked, self._told = asked, told
        self._numbers = itertools.count(1)
        self._session: str | None = None

    async def open(self) -> None:
        """Open an empty one."""
        target = (await self.call("Target.createTarget", url="about:blank"))["targetId"]
        self._session = (await self.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]

    async def show(
        self, url: str, *, width: int, height: int = 900, scheme: Literal["light", "dark"] = "light"
    ) -> None:
        """Load a page into a window of this size, for somebody who prefers this colour scheme."""
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        await self.call("Emulation.setEmulatedMedia", features=media)
        await self.call("Page.navigate", url=url)
        async with asyncio.timeout(ANSWER_WITHIN):
            while await self.value("document.readyState") != "complete":  # noqa: ASYNC110 - the browser brings it about
                await asyncio.sleep(0.05)

    async def value(self, expression: str) -> Any:  # noqa: ANN401 - whatever the expression is
        """What a JavaScript expression is, as JSON knows it; a promise is waited for."""
        answer = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    async def press(self, key: str) -> None:
        """Press and release a key, such as `ArrowDown`."""
        for kind in ("keyDown", "keyUp"):
            await self.call("Input.dispatchKeyEvent", type=kind, key=key)

    async def picture(self) -> bytes:
        """What is seen, as a PNG."""
        return base64.b64decode((await self.call("Page.captureScreenshot", format="png"))["data"])

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:  # noqa: ANN401 - as the protocol has it
        """Call a method of the DevTools protocol."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._asked.write(json.dumps(message).encode() + b"\0")
        async with asyncio.timeout(ANSWER_WITHIN):
            while True:
                answer = json.loads((await self._told.readuntil(b"\0"))[:-1])
                if answer.get("id") == number:
                    break
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result


@asynccontextmanager
async def browsing(program: str) -> AsyncIterator[Page]:
    """A browser with one page, gone afterwards with all that it wrote."""
    with TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as folder:
        (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
        # The protocol is spoken on the descriptors 3 and 4.
        words = (program, *_ARGUMENTS, f"--user-data-dir={folder}", "about:blank")
        process = await asyncio.create_subprocess_exec(
            *("bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "bash", *words),
            pass_fds=(theirs_in, theirs_out),
            stdout=DEVNULL,
            stderr=DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        loop = asyncio.get_running_loop()
        told = asyncio.StreamReader(limit=_LARGEST_MESSAGE)
        reading, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(told), os.fdopen(ours_in, "rb", buffering=0)
        )
        writing, protocol = await loop.connect_write_pipe(
            asyncio.streams.FlowControlMixin, os.fdopen(ours_out, "wb", buffering=0)
        )
        asked = asyncio.StreamWriter(writing, protocol, None, loop)
        page = Page(asked, told)
        try:
            await page.open()
            yield page
        finally:
            process.terminate()
            await process.wait()
            reading.close()
            writing.close()
