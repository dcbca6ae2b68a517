"""The `lattice` command: run the suite, see the demo, make each call by hand, and look at a trace."""

import os

# gRPC's hooks around fork do nothing for programs that are started, and say so on standard error each time.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
