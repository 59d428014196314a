"""`nodetool-sandbox run`: from the arguments to what stands on the two streams, and the exit status."""

from __future__ import annotations

import io
import json
import os
import signal
import stat
import subprocess  # noqa: TID251 - Ctrl-C and a closed pipe happen to a process
import sys
from pathlib import Path

import pytest
from nodetool_sandbox.cli import main
from nodetool_sandbox.cli.failures import source_lines
from nodetool_sandbox.cli.output import encoded
from nodetool_sandbox.cli.terminal import progress_bar
from nodetool_sandbox.limits import LIMITS

MIB = 1024 * 1024
IN_A_PROCESS = [sys.executable, "-c", "import sys; from nodetool_sandbox.cli import main; sys.exit(main())"]

Captured = pytest.CaptureFixture[str]


class FakeTerminal(io.TextIOWrapper):
    """A stream that says it is a terminal, and keeps what was written."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> str:
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode()


def run(*arguments: str) -> int:
    return main(["run", *arguments])


# --- the result


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("return 'text as it is'", "text as it is\n"),
        ("return 'a line\\n'", "a line\n"),
        ("return ['a', 1, true, null]", '[\n  "a",\n  1,\n  true,\n  null\n]\n'),
        ("return { a: 1 }", '{\n  "a": 1\n}\n'),
        ("", None),
        ("const nothing = 1", "null\n"),
        ("return 'Ödegård \\u{1f600}'", "Ödegård 😀\n"),
        ("return '\\u001b[31m'", "\x1b[31m\n"),
        ("return ['\\u009b', '\\ud800']", '[\n  "\\u009b",\n  "\\ud800"\n]\n'),
    ],
)
def test_a_result_goes_to_standard_output(code: str, printed: str | None, capsys: Captured) -> None:
    if printed is None:
        assert run("-e", code) == 1
        assert capsys.readouterr() == ("", "-e: No code provided\n")
    else:
        assert run("-e", code) == 0
        assert capsys.readouterr() == (printed, "")


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("12n", {"$bigint": "12"}),
        ("-0", {"$number": "-0"}),
        ("NaN", {"$number": "NaN"}),
        ("-Infinity", {"$number": "-Infinity"}),
        ("new Uint8Array([1, 2])", {"$bytes": "AQI="}),
        ("new Date(1500)", {"$date": "1970-01-01T00:00:01.500Z"}),
        ("new Date(NaN)", {"$date": None}),
        ("new Date(-8.64e15)", {"$date": -8.64e15}),
        ("new Map([['a', 1n]])", {"$map": [["a", {"$bigint": "1"}]]}),
        ("new Set([1])", {"$set": [1]}),
        ("undefined", {"$undefined": True}),
        ("{ $bytes: 'AQI=' }", {"$object": {"$bytes": "AQI="}}),
        ("{ $a: 1, $b: 2 }", {"$a": 1, "$b": 2}),
    ],
)
def test_what_json_lacks_has_one_documented_form(value: str, form: object, capsys: Captured) -> None:
    assert run("-e", f"return [{value}]") == 0
    assert json.loads(capsys.readouterr().out) == [form]


def test_bytes_go_to_a_pipe_as_they_are(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("-e", "return new Uint8Array([0, 255, 10])") == 0
    assert capfdbinary.readouterr().out == b"\x00\xff\n"


def test_bytes_are_not_thrown_at_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert run("-e", "return new Uint8Array(3)") == 0
    assert terminal.shown == ""
    assert "3 bytes, not shown on a terminal: use --output FILE, or a pipe" in capsys.readouterr().err


def test_text_on_a_terminal_cannot_act(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert run("-e", "return 'a\\n\\u001b]0;title\\u0007\\u202e'") == 0
    assert terminal.shown == "a\n\\x1b]0;title\\x07\\u202e\n"


def test_the_output_file_holds_the_result_alone(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "result.bin"
    assert run("-e", "console.log('seen'); return new Uint8Array([0, 1])", "--output", str(file)) == 0
    assert file.read_bytes() == b"\x00\x01"
    assert capsys.readouterr() == ("", "seen\n")
    assert run("-e", "return 'no line end is added'", "--output", str(file)) == 0
    assert file.read_text() == "no line end is added"
    assert [each.name for each in tmp_path.iterdir()] == ["result.bin"]


def test_an_output_file_keeps_its_mode_and_a_failed_program_leaves_it_alone(tmp_path: Path) -> None:
    file = tmp_path / "result.txt"
    file.write_text("before")
    file.chmod(0o640)
    assert run("-e", "throw 1", "--output", str(file)) == 1
    assert file.read_text() == "before"
    assert run("-e", "return 'after'", "--output", str(file)) == 0
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("after", 0o640)


def test_the_whole_outcome_is_one_json_document(capsys: Captured) -> None:
    assert run("-e", "console.warn('seen'); return [1n]", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ended"] == "ok"
    assert document["success"] is True
    assert document["value"] == [{"$bigint": "1"}]
    assert document["error"] is None
    assert document["logs"] == ["[warn] seen"]
    assert document["usage"]["host_calls"] == 0
    assert (document["calls"], document["warnings"]) == ([], [])


def test_a_failed_program_is_a_json_document_too(capsys: Captured) -> None:
    assert run("-e", "await sleep(1);\nthrow new RangeError('far')", "--json") == 1
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert (document["ended"], document["value"]) == ("failed", None)
    assert document["error"]["name"] == "RangeError"
    assert document["error"]["line"] == 2
    assert [call["name"] for call in document["calls"]] == ["sleep"]
    assert err == ""


# --- the program and what it gets


def test_a_program_comes_from_a_file_or_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    file = tmp_path / "program.js"
    file.write_bytes(b"\xef\xbb\xbfreturn 'from a file'")
    assert run(str(file)) == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"return 'from a pipe'")))
    assert run("-") == 0
    assert capsys.readouterr().out == "from a file\nfrom a pipe\n"


def test_inputs_are_values_texts_json_files_and_bytes(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "text").write_text("ä\n")
    (tmp_path / "json").write_text('{"deep": [1, 12345678901234567890]}')
    (tmp_path / "bytes").write_bytes(b"\x00\xff")
    assert (
        run(
            *("-e", "return { ...inputs, type: inputs.bytes.constructor.name }"),
            *("--input", 'value={"a": [true]}'),
            *("--input", f"text=@{tmp_path / 'text'}"),
            *("--input", f"json=@json:{tmp_path / 'json'}"),
            *("--input", f"bytes=@bytes:{tmp_path / 'bytes'}"),
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out) == {
        "value": {"a": [True]},
        "text": "ä\n",
        "json": {"deep": [1, {"$bigint": "12345678901234567890"}]},
        "bytes": {"$bytes": "AP8="},
        "type": "Uint8Array",
    }


def test_a_program_without_inputs_finds_an_empty_object(capsys: Captured) -> None:
    assert run("-e", "return inputs") == 0
    assert capsys.readouterr().out == "{}\n"


@pytest.mark.parametrize("modules", [["all"], ["@nodetool-ai/sandbox-yaml"]], ids=str)
def test_a_declared_module_may_be_imported(modules: list[str], capsys: Captured) -> None:
    code = "import yaml from '@nodetool-ai/sandbox-yaml'; return yaml.load('a: [1]')"
    assert run("-e", code, *(f"--module={each}" for each in modules)) == 0
    assert json.loads(capsys.readouterr().out) == {"a": [1]}


def test_an_undeclared_module_fails_the_program_and_names_the_option(capsys: Captured) -> None:
    assert run("-e", "\n import yaml from '@nodetool-ai/sandbox-yaml'") == 1
    shown = capsys.readouterr().err
    assert shown.startswith(
        '-e:2:2: "@nodetool-ai/sandbox-yaml" is not a sandbox package declared for this run'
    )
    assert shown.endswith("(on the command line: --module SPEC, or --module all)\n")


# --- what is wrong with a call


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a program"),
        (["a.js", "-e", "1"], "name a program"),
        (["nowhere.js"], "nowhere.js: cannot be read: No such file or directory"),
        (["a\0.js"], "cannot be read"),
        (["latin1.js"], "latin1.js: byte 8 is not UTF-8"),
        (["-e", "1", "--input", "a"], "--input 'a' is not NAME=VALUE"),
        (["-e", "1", "--input", "=1"], "--input '=1' is not NAME=VALUE"),
        (["-e", "1", "--input", "a=1", "--input", "a=2"], "--input 'a' is there twice"),
        (["-e", "1", "--input", "a=text"], "for text write --input 'a=\"...\"'"),
        (["-e", "1", "--input", "a=NaN"], "NaN is no JSON number"),
        (["-e", "1", "--input", "a=" + "[" * 100_000], "too many brackets inside of brackets"),
        (["-e", "1", "--input", "a=" + "[" * 900 + "]" * 900], "nested deeper than"),
        (["-e", "1", "--input", "a=@nowhere"], "nowhere: cannot be read"),
        (["-e", "1", "--input", "a=@latin1.js"], "pass bytes with @bytes:FILE"),
        (["-e", "1", "--module", "no-such-pack"], "Sandbox module no-such-pack is not installed."),
        (["-e", "1", "--module", "not a name"], "not a name"),
        (["-e", "1", "--output", "nowhere/result"], "there is no such folder"),
        (["-e", "1", "--output", "."], "cannot be written"),
        (["-e", "1", "--timeout-ms", "soon"], "invalid int value"),
        (["-e", "1", "--time", "1"], "unrecognized arguments"),
    ],
)
def test_a_wrong_call_is_refused_with_what_is_wrong(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("latin1.js").write_bytes(b"return '\xe4'")
    try:
        status = run(*arguments)
    except SystemExit as left:  # argparse's own refusals
        status = int(str(left.code))
    assert status == 2
    out, err = capsys.readouterr()
    assert message in err
    assert out == ""


@pytest.mark.parametrize(
    ("option", "name", "unit"),
    [
        ("--timeout-ms", "timeout_ms", 1),
        ("--memory-mb", "memory_limit_bytes", MIB),
        ("--max-steps", "max_steps", 1),
    ],
)
def test_a_limit_out_of_bounds_is_moved_and_said(option: str, name: str, unit: int, capsys: Captured) -> None:
    (row,) = (row for row in LIMITS if row.name == name)
    assert row.ceiling is not None
    ceiling = row.ceiling // unit
    assert run("-e", "return 1", option, str(ceiling)) == 0
    assert capsys.readouterr().err == ""
    assert run("-e", "return 1", option, str(ceiling + 1)) == 0
    assert f"{option} {ceiling + 1} is out of bounds: {ceiling:,} is the most" in capsys.readouterr().err


# --- how a program fails


def test_a_failure_shows_the_place_and_the_stack(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "program.js"
    file.write_text("function total(prices) {\n\tthrow new TypeError('no lamp');\n}\nreturn total({});\n")
    assert run(str(file)) == 1
    shown = capsys.readouterr().err.splitlines()
    assert shown[:3] == [
        f"{file}:2:12: TypeError: no lamp",
        "  2 |     throw new TypeError('no lamp');",
        "    |               ^",
    ]
    assert shown[3] == f"  at total ({file}:2:12)"
    assert shown[4].startswith(f"  at <anonymous> ({file}:4:")


@pytest.mark.parametrize(
    ("code", "options", "shown"),
    [
        ("for (;;);", ["--timeout-ms=50"], "ExecutionTimeout: Execution timed out after 50 ms"),
        ("for (;;);", ["--max-steps=10"], "ExecutionSteps: Execution used up its 10 steps"),
        ("await new Promise(() => {})", [], "ExecutionDeadlock: The program waits for something"),
        (
            "const a = []; for (;;) a.push(new Uint8Array(1e6))",
            ["--memory-mb=8"],
            "InternalError: out of memory",
        ),
        ("let x = = 1", [], "SyntaxError: "),
        ("throw 'plain'", [], "-e: plain"),
    ],
)
def test_each_way_to_fail_is_said(code: str, options: list[str], shown: str, capsys: Captured) -> None:
    assert run("-e", code, *options) == 1
    out, err = capsys.readouterr()
    assert shown in err
    assert out == ""


def test_a_programs_words_do_not_act_and_do_not_pass_for_ours(capsys: Captured) -> None:
    code = (
        "console.log('\\u001b[2J\\nnodetool-sandbox: all is well'); throw new Error('\\u0007\\n-e:1:1: fake')"
    )
    assert run("-e", code) == 1
    shown = capsys.readouterr().err.splitlines()
    assert shown[:2] == ["\\x1b[2J", "    nodetool-sandbox: all is well"]
    assert "    -e:1:1: fake" in shown
    assert not any(line.startswith("-e:1:1: fake") for line in shown)


@pytest.mark.parametrize(
    ("line", "column", "shown"),
    [
        ("ab", 2, ["  1 | ab", "    |  ^"]),
        ("漢字x", 3, ["  1 | 漢字x", "    |     ^"]),
        ("\u202ex", 2, ["  1 | \\u202ex", "    |       ^"]),
        ("ab", 9, ["  1 | ab", "    |   ^"]),
        ("ab", None, ["  1 | ab"]),
        ("x" * 999 + "!" + "y" * 999, 1000, [f"  1 | {'x' * 50}!{'y' * 49}", f"    | {' ' * 50}^"]),
    ],
    ids=["plain", "wide", "escaped", "behind the end", "no column", "long"],
)
def test_a_caret_stands_under_the_column(line: str, column: int | None, shown: list[str]) -> None:
    assert list(source_lines(line, 1, column)) == shown


def test_a_line_that_is_not_there_is_not_shown() -> None:
    assert list(source_lines("one", 2, 1)) == []


# --- while a program runs


def test_log_lines_that_were_dropped_are_told_at_the_end(capsys: Captured) -> None:
    assert run("-e", "for (let i = 0; i < 10_001; i++) console.log(i)") == 0
    shown = capsys.readouterr().err.splitlines()
    assert len(shown) == 10_001
    assert shown[-1].startswith("[warn] 1 log lines were dropped")


def test_progress_is_a_bar_on_a_terminal_and_nothing_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    code = "progress(50, 'half\\u001b[2J'); console.log('seen')"
    assert run("-e", code) == 0
    assert capsys.readouterr().err == "seen\n"
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run("-e", code) == 0
    bar = "[############------------]  50 % half\\x1b[2J"
    clear = "\r\x1b[2K"
    assert terminal.shown == f"{clear}{bar}{clear}seen\n{bar}{clear}"


def test_a_bar_is_no_wider_than_the_terminal() -> None:
    bare = progress_bar(100, "", 80)
    assert progress_bar(100, "漢字 and more", len(bare) + 1 + 3) == f"{bare} 漢"
    assert progress_bar(100, "more", len(bare)) == bare


def test_half_a_character_becomes_the_replacement_character() -> None:
    assert encoded("a\ud800b\U0001f600") == "a\ufffdb\U0001f600".encode()


@pytest.mark.parametrize(
    "program",
    ["console.log('started'); await sleep(1); for (;;);", "console.log('started'); await sleep(5000)"],
    ids=["computing", "waiting"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_cancels_the_program(program: str) -> None:
    with subprocess.Popen(  # noqa: S603 - our own program
        [*IN_A_PROCESS, "run", "--timeout-ms=50000", "--json", "-e", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        assert process.stderr.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        document = json.loads(process.stdout.read())
        assert process.wait() == 130
    assert document["ended"] == "cancelled"
    assert document["logs"] == ["started"]
    assert document["usage"]["wall_ms"] < 50_000


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_a_reader_that_goes_away_is_no_traceback() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(  # noqa: S603 - the same
        [*IN_A_PROCESS, "run", "-e", "return 'x'.repeat(90000)"],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_sink_of_the_operating_system_can_be_the_output(capsys: Captured) -> None:
    assert run("-e", "return 'gone'", "--output", os.devnull) == 0
    assert not Path(os.devnull).is_file()
    assert capsys.readouterr().out == ""


def test_help_names_the_forms_of_input(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as left:
        run("--help")
    assert left.value.code == 0
    assert "NAME=@bytes:FILE" in capsys.readouterr().out
