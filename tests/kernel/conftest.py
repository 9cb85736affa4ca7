"""The toy system is known to all tests of the kernel."""

from toy import TOY

import beachhead as bh

bh.register(TOY)
