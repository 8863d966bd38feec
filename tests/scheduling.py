"""Which process runs which tests: browser tests beside the others, not after them.

A browser test waits most of its time, so that one process with them keeps nobody from a core. But where Playwright
has been started no other event loop can run: a process that has run a browser test runs only such tests afterwards.
"""

from typing import Final

from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController

BROWSER_FOLDER: Final = "/browser/"


class BrowserBesideScheduling(LoadGroupScheduling):  # type: ignore[misc]
    """The first process takes browser tests from the end of the queue, where they all stand.

    The others take from its beginning, and so come to them last.
    """

    def _assign_work_unit(self, node: WorkerController) -> None:
        if node is self.nodes[0]:
            last = next(reversed(self.workqueue))
            if _is_for_a_browser(self.workqueue[last]):
                self.workqueue.move_to_end(last, last=False)
            elif any(map(_is_for_a_browser, self.assigned_work[node].values())):
                node.shutdown()
                return
        super()._assign_work_unit(node)


def _is_for_a_browser(unit: dict[str, bool]) -> bool:
    return any(BROWSER_FOLDER in nodeid for nodeid in unit)
