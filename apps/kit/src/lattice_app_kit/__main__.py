"""The kit as a program: `python -m lattice_app_kit ADDRESS --document FILE [--batch FILE]`.

It ends with 0 where every claim is kept, with 1 where one is broken, and with 2 where it cannot begin.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import grpc
from lattice.app.v1 import app_service_pb2 as app_pb

from lattice_app_kit.app import AUTHOR, App, Document
from lattice_app_kit.check import Trial
from lattice_app_kit.checks import ALL
from lattice_app_kit.report import Finding, Verdict, findings
from lattice_app_kit.verdicts import Broken


def run(arguments: Sequence[str] | None = None) -> None:
    """The console script."""
    sys.exit(asyncio.run(_main(_parser().parse_args(arguments))))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lattice-app-kit", description="Does an app's worker keep lattice.app.v1?")
    parser.add_argument("address", help="where the worker listens, such as unix:/run/app.sock or 127.0.0.1:50061")
    parser.add_argument(
        "--document",
        action="append",
        type=Path,
        required=True,
        help="a file of one of the app's formats, which its extension tells; may be given again",
    )
    parser.add_argument(
        "--batch",
        type=Path,
        help='a JSON file with commands that change the first document: [{"command": "…", "arguments": {…}}]; '
        "without it the first example of the catalogue that does is taken",
    )
    parser.add_argument("--time-limit", type=float, default=20.0, help="seconds that each call may take")
    parser.add_argument("--json", action="store_true", help="write one JSON object a check")
    return parser


async def _main(options: argparse.Namespace) -> int:
    async with grpc.aio.insecure_channel(options.address) as channel:
        app = App(channel, seconds=options.time_limit)
        try:
            async with asyncio.timeout(options.time_limit):
                await channel.channel_ready()
            documents = _documents(await app.describe(), options.document)
            batch = await _example(app, documents[0]) if options.batch is None else _commands(options.batch)
        except (OSError, ValueError, Broken, grpc.aio.AioRpcError) as error:
            sys.stderr.write(f"lattice-app-kit: the trial cannot begin: {_why(error)}\n")
            return 2
        trial = Trial(app=app, documents=documents, batch=batch)
        verdicts = []
        async for finding in findings(trial, ALL):
            _write(_json(finding) if options.json else _line(finding))
            verdicts.append(finding.verdict)
    if not options.json:
        _write(", ".join(f"{verdicts.count(it)} {it}" for it in Verdict))
    return 1 if Verdict.BROKEN in verdicts else 0


def _documents(described: app_pb.DescribeResponse, paths: Sequence[Path]) -> Sequence[Document]:
    formats = {it.extension: it.name for it in described.formats}
    unknown = [str(path) for path in paths if path.suffix.removeprefix(".") not in formats]
    if unknown:
        raise ValueError(f"the app serves {', '.join(formats)}; it cannot read {', '.join(unknown)}")
    return [
        Document(name=path.name, format=formats[path.suffix.removeprefix(".")], content=path.read_bytes())
        for path in paths
    ]


def _commands(path: Path) -> Sequence[tuple[str, str]]:
    match json.loads(path.read_text("utf-8")):
        case [*given] if given and all(isinstance(it, dict) and isinstance(it.get("command"), str) for it in given):
            return [(it["command"], json.dumps(it.get("arguments", {}))) for it in given]
        case _:
            raise ValueError(f"{path} is no list of commands")


async def _example(app: App, document: Document) -> Sequence[tuple[str, str]]:
    """The first example of the catalogue that leaves a tracked change in the document, or else that can be applied."""
    applied: list[tuple[str, str]] = []
    for command in await app.commands():
        example = (command.id, command.example_json)
        try:
            result = await app.apply(document, example, mode=app_pb.CHANGE_MODE_TRACKED)
        except (grpc.aio.AioRpcError, Broken):
            continue
        if result.extract.tracked_by(AUTHOR):
            return [example]
        applied = applied or [example]
    return applied


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "nobody answers there"
    return f"{error.code().name}, {error.details()}" if isinstance(error, grpc.aio.AioRpcError) else str(error)


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _line(finding: Finding) -> str:
    why = f"\n           {finding.why}" if finding.why else ""
    return f"{finding.verdict:<10} {finding.check.id}: {finding.check.claim} ({finding.seconds:.1f} s){why}"


def _json(finding: Finding) -> str:
    return json.dumps(
        {
            "check": finding.check.id,
            "claim": finding.check.claim,
            "verdict": finding.verdict,
            "why": finding.why,
            "seconds": round(finding.seconds, 3),
        }
    )


if __name__ == "__main__":
    run()
