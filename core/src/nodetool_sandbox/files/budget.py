"""How many bytes and entries one run may move, counted before the harm."""

from __future__ import annotations

import threading

from nodetool_sandbox.files.refusals import BudgetExceededError


class Budget:
    """What is left to one run. From any thread.

    Args:
        file_bytes: of one file that is read or written.
        run_bytes: read and written in the whole run.
        entries: files and folders that may be made.
        quota_bytes: that may be written, or held in memory where writes stay there.
    """

    def __init__(self, *, file_bytes: int, run_bytes: int, entries: int, quota_bytes: int) -> None:
        self._lock = threading.Lock()
        self.file_bytes = file_bytes
        self._run_bytes = run_bytes
        self._entries = entries
        self._quota_bytes = quota_bytes
        self._moved = 0
        self._made = 0
        self._kept = 0

    def check_file(self, size: int) -> None:
        """Return where one file may be so long.

        Raises:
            BudgetExceededError: it may not.
        """
        if size > self.file_bytes:
            raise BudgetExceededError(self.too_long)

    @property
    def too_long(self) -> str:
        """What is said of a file that is longer."""
        return (
            f"a file of more than {self.file_bytes:,} bytes is neither read nor written "
            "(max_workspace_file_bytes)"
        )

    def move(self, size: int) -> None:
        """Count bytes that are read or written.

        Raises:
            BudgetExceededError: together they are too many.
        """
        with self._lock:
            if self._moved + size > self._run_bytes:
                raise BudgetExceededError(
                    f"a run may read and write {self._run_bytes:,} bytes (max_workspace_bytes)"
                )
            self._moved += size

    def keep(self, size: int) -> None:
        """Count bytes that stay: in the folder, or in memory. Negative where some go again.

        Raises:
            BudgetExceededError: together they are too many.
        """
        with self._lock:
            if size > 0 and self._kept + size > self._quota_bytes:
                raise BudgetExceededError(
                    f"this workspace takes {self._quota_bytes:,} bytes of a run (quota_bytes)"
                )
            self._kept += size

    def make(self) -> None:
        """Count a new file or folder.

        Raises:
            BudgetExceededError: there are too many.
        """
        with self._lock:
            if self._made >= self._entries:
                raise BudgetExceededError(
                    f"a run may make {self._entries:,} files and folders (max_workspace_entries)"
                )
            self._made += 1
