"""Where programs that see untrusted files run: without a network, on a read-only disk, within limits.

The engine's host and the renderers are other people's programs, and a document may take them over.
So each runs confined (`confinement`), in a folder of its own (`rooms`), and started by a small program
that gives up every right first (`launch`). Two ways to confine pass the same escape tests
(`tests/service/wordcraft/sandbox`): bubblewrap, and where that does not work, as in a restricted pod,
the worker confining itself before it opens its socket, and each program once more.
"""
