"""A pack's project, through npm itself: a registry on loopback has the packages, hostile ones among them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback_registry import Registry, loopback_registry
from nodetool_sandbox_compiler import (
    CompileCache,
    Compiled,
    Project,
    ProjectError,
    ProjectOutcome,
    Skipped,
    compile_project,
    is_current,
    lock_project,
)
from nodetool_sandbox_compiler import projects as compiler_projects
from nodetool_sandbox_compiler import tools as compiler_tools
from nodetool_sandbox_registry.codes import Code
from nodetool_sandbox_registry.compiled import CompiledRecord
from npm_fakes import own_cache

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.skipif(compiler_tools.find_npm() is None, reason="there is no npm"),
]
CLEAN = {"index.js": "export const greet = (who) => `hello ${who}`;\n", "LICENSE": "The licence of lib."}
PYPROJECT = """
[project]
name = "Acme_Lib"
version = "1"
[project.entry-points."nodetool_sandbox.packs"]
lib = "acme_lib"
"""
MODULE = '[[modules]]\nname = "."\nkind = "js"\nnpm = "lib"\n'


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    with loopback_registry() as found:
        monkeypatch.setenv("npm_config_registry", found.url)
        monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm-cache"))
        monkeypatch.setenv("npm_config_fetch_retries", "0")
        yield found


@pytest.fixture
def cache(tmp_path: Path) -> CompileCache:
    return own_cache(tmp_path)


def write(folder: Path, integrity: str, *, manifest: str = MODULE, **entry: object) -> Path:
    package = folder / "src" / "acme_lib"
    package.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (package / "pack.toml").write_text(manifest)
    dependencies = {"dependencies": {"lib": "1.2.3"}}
    (folder / "package.json").write_text(json.dumps(dependencies))
    locked = {"node_modules/lib": {"version": "1.2.3", "integrity": integrity, **entry}}
    lock = {"lockfileVersion": 3, "packages": {"": dependencies, **locked}}
    (folder / "package-lock.json").write_text(json.dumps(lock))
    return folder


def only(outcome: ProjectOutcome) -> Compiled | Skipped:
    (module,) = outcome.modules
    return module.outcome


# ---- what is compiled, and where it lies


def test_a_library_is_put_into_the_package_with_its_record_and_licence(
    tmp_path: Path, registry: Registry, cache: CompileCache
) -> None:
    project = write(tmp_path / "pack", registry.publish("lib", CLEAN))
    assert not is_current(project)
    (module,) = compile_project(project, cache=cache).modules
    assert isinstance(module.outcome, Compiled)
    assert (module.specifier, module.place, module.written, module.current) == (
        "acme-lib",
        "npm/lib.js",
        True,
        True,
    )
    folder = project / "src" / "acme_lib" / "npm"
    assert (folder / "lib.js").read_text() == module.outcome.source
    assert CompiledRecord.parse((folder / "lib.json").read_bytes()) == module.record
    assert "The licence of lib." in (folder / "lib.licences.txt").read_text()
    assert is_current(project)
    assert not (project / "node_modules").exists()


def test_the_same_lock_gives_the_same_files_without_any_tool(
    tmp_path: Path, registry: Registry, cache: CompileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    integrity = registry.publish("lib", CLEAN)
    first = only(compile_project(write(tmp_path / "one", integrity), cache=cache))
    monkeypatch.setattr(compiler_projects, "require_npm", _no_npm)
    second = only(compile_project(write(tmp_path / "two", integrity), cache=cache))
    assert isinstance(first, Compiled)
    assert isinstance(second, Compiled)
    assert (first.cached, second.cached, second.source) == (False, True, first.source)
    assert is_current(tmp_path / "two")


def test_what_lies_in_place_is_kept_even_with_an_empty_cache(
    tmp_path: Path, registry: Registry, cache: CompileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write(tmp_path / "pack", registry.publish("lib", CLEAN))
    compile_project(project, cache=cache)
    monkeypatch.setattr(compiler_projects, "require_npm", _no_npm)
    (module,) = compile_project(project, cache=CompileCache.open(tmp_path / "empty"), keep=True).modules
    assert isinstance(module.outcome, Compiled)
    assert (module.written, module.current) == (False, True)


def _no_npm() -> None:
    raise AssertionError("npm was asked for")


@pytest.mark.parametrize("damage", ["source", "record", "licences", "lock"])
def test_files_that_do_not_fit_the_lock_are_not_kept(
    tmp_path: Path, registry: Registry, cache: CompileCache, damage: str
) -> None:
    integrity = registry.publish("lib", CLEAN)
    project = write(tmp_path / "pack", integrity)
    compile_project(project, cache=cache)
    folder = project / "src" / "acme_lib" / "npm"
    if damage == "source":
        (folder / "lib.js").write_text("export const evil = 1;")
    elif damage == "record":
        (folder / "lib.json").unlink()
    elif damage == "licences":
        (folder / "lib.licences.txt").unlink()
    else:
        registry.publish("lib", {"index.js": "export const other = 1;"}, version="1.2.4")
        write(project, integrity, engines={"node": "*"})
    assert not is_current(project)
    (module,) = compile_project(project, cache=cache, keep=True).modules
    assert isinstance(module.outcome, Compiled)
    assert is_current(project)


def test_a_check_writes_nothing_and_says_what_is_not_current(
    tmp_path: Path, registry: Registry, cache: CompileCache
) -> None:
    project = write(tmp_path / "pack", registry.publish("lib", CLEAN))
    (module,) = compile_project(project, cache=cache, write=False).modules
    assert (module.written, module.current) == (False, False)
    assert not (project / "src" / "acme_lib" / "npm").exists()


def test_a_change_of_the_lock_is_a_miss(tmp_path: Path, registry: Registry, cache: CompileCache) -> None:
    project = write(tmp_path / "pack", registry.publish("lib", CLEAN))
    compile_project(project, cache=cache)
    write(project, registry.publish("lib", {"index.js": "export const changed = 1;"}))
    outcome = only(compile_project(project, cache=cache))
    assert isinstance(outcome, Compiled)
    assert (outcome.cached, outcome.exports) == (False, ("changed",))


def test_a_lock_is_written_for_the_libraries_that_pack_toml_names(
    tmp_path: Path, registry: Registry, cache: CompileCache
) -> None:
    registry.publish("lib", CLEAN, scripts={"preinstall": f"touch {tmp_path}/ran"})
    project = write(tmp_path / "pack", "")
    for name in ("package.json", "package-lock.json"):
        (project / name).unlink()
    assert lock_project(project) is None
    assert json.loads((project / "package.json").read_text())["dependencies"] == {"lib": "1.2.3"}
    assert registry.url not in (project / "package-lock.json").read_text()
    assert isinstance(only(compile_project(project, cache=cache)), Compiled)
    assert not (tmp_path / "ran").exists()


# ---- what a hostile library or lock tries


def test_no_script_of_a_library_runs(tmp_path: Path, registry: Registry, cache: CompileCache) -> None:
    names = ("preinstall", "install", "postinstall", "prepare", "prepublish", "preprepare", "postprepare")
    scripts = {name: f"touch {tmp_path}/ran-{name}" for name in names}
    files = {
        **CLEAN,
        "binding.gyp": "{}",
        "evil.js": f"require('fs').writeFileSync('{tmp_path}/ran-bin', '')",
    }
    integrity = registry.publish("lib", files, scripts=scripts, bin={"node": "evil.js", "npm": "evil.js"})
    project = write(tmp_path / "pack", integrity, hasInstallScript=True, bin={"node": "evil.js"})
    (project / "package.json").write_text(
        json.dumps({"dependencies": {"lib": "1.2.3"}, "scripts": {name: scripts[name] for name in names}})
    )
    assert isinstance(only(compile_project(project, cache=cache)), Compiled)
    assert not list(tmp_path.glob("ran-*"))


def test_an_archive_with_another_hash_than_the_lock_says_is_refused(
    tmp_path: Path, registry: Registry, cache: CompileCache
) -> None:
    integrity = registry.publish("lib", CLEAN)
    registry.publish("lib", {"index.js": "export const evil = 1;"})
    outcome = only(compile_project(write(tmp_path / "pack", integrity), cache=cache))
    assert isinstance(outcome, Skipped)
    assert (outcome.code, "EINTEGRITY" in outcome.detail) == (Code.NPM_MODULE_UNRESOLVED, True)
    assert str(cache.folder) not in outcome.detail


def test_an_address_in_the_lock_is_not_asked(tmp_path: Path, registry: Registry, cache: CompileCache) -> None:
    with loopback_registry() as other:
        integrity = registry.publish("lib", CLEAN)
        project = write(tmp_path / "pack", integrity, resolved=f"{other.url}/lib/-/1.2.3.tgz")
        (project / ".npmrc").write_text(f"registry={other.url}\nignore-scripts=false\n")
        assert isinstance(only(compile_project(project, cache=cache)), Compiled)
        assert (other.asked, "/lib" in registry.asked) == ([], True)


def test_a_library_that_is_in_no_registry_is_an_outcome(
    tmp_path: Path, registry: Registry, cache: CompileCache
) -> None:
    assert registry.url
    outcome = only(compile_project(write(tmp_path / "pack", "sha512-" + "A" * 86 + "=="), cache=cache))
    assert isinstance(outcome, Skipped)
    assert (outcome.code, "E404" in outcome.detail) == (Code.NPM_MODULE_UNRESOLVED, True)


def test_a_node_modules_that_lies_in_the_project_has_no_say(
    tmp_path: Path, registry: Registry, cache: CompileCache
) -> None:
    project = write(tmp_path / "pack", registry.publish("lib", CLEAN))
    evil = project / "node_modules" / "lib"
    evil.mkdir(parents=True)
    (evil / "package.json").write_text('{"name": "lib", "version": "1.2.3", "main": "index.js"}')
    (evil / "index.js").write_text("export const evil = 1;")
    outcome = only(compile_project(project, cache=cache))
    assert isinstance(outcome, Compiled)
    assert outcome.exports == ("greet",)


@pytest.mark.parametrize(
    "path", ["../../../../../../../../etc/hostname", "/etc/hostname", "../../package-lock.json"]
)
def test_a_library_cannot_take_in_a_file_of_the_machine(
    tmp_path: Path, registry: Registry, cache: CompileCache, path: str
) -> None:
    text = f'import text from "{path}" with {{ type: "text" }}; export {{ text }};'
    outcome = only(
        compile_project(write(tmp_path / "pack", registry.publish("lib", {"index.js": text})), cache=cache)
    )
    assert isinstance(outcome, Skipped)


# ---- what is no project


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("pyproject.toml", None, "no pyproject.toml"),
        ("pyproject.toml", "x", "does not say which package"),
        ("pyproject.toml", PYPROJECT.replace("acme_lib", "acme.lib"), "one top-level package"),
        ("pyproject.toml", PYPROJECT.replace("acme_lib", "other"), "there is no folder"),
        ("pyproject.toml", PYPROJECT + 'two = "x"\n', "does not say which package"),
        ("pyproject.toml", PYPROJECT.replace("Acme_Lib", "-"), "does not say which package"),
        ("pyproject.toml", "a = " + "[" * 100_000, "does not say which package"),
        ("pyproject.toml", " " * (1024 * 1024 + 1), "above the"),
        ("src/acme_lib/pack.toml", None, "no pack.toml"),
        ("src/acme_lib/pack.toml", "modules = 1", "pack.toml: "),
    ],
)
def test_a_folder_that_is_no_packs_project_says_what_is_missing(
    tmp_path: Path, file: str, text: str | None, said: str
) -> None:
    project = write(tmp_path / "pack", "")
    if text is None:
        (project / file).unlink()
    else:
        (project / file).write_text(text)
    with pytest.raises(ProjectError, match=said) as caught:
        Project.load(project)
    assert str(tmp_path) not in str(caught.value)


def test_a_pack_without_npm_modules_has_nothing_to_compile(tmp_path: Path) -> None:
    project = write(tmp_path / "pack", "", manifest=MODULE.replace('npm = "lib"', 'file = "index.js"'))
    assert (compile_project(project).modules, is_current(project)) == ((), True)


def test_a_project_without_a_lock_has_outcomes_that_say_so(tmp_path: Path) -> None:
    project = write(tmp_path / "pack", "")
    (project / "package-lock.json").unlink()
    outcome = only(compile_project(project))
    assert isinstance(outcome, Skipped)
    assert (outcome.code, is_current(project)) == (Code.NPM_MODULE_UNRESOLVED, False)


def test_a_machine_without_npm_has_outcomes_that_say_so(
    tmp_path: Path, registry: Registry, cache: CompileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(compiler_tools, "find_spec", lambda _name: None)
    project = write(tmp_path / "pack", registry.publish("lib", CLEAN))
    outcome = only(compile_project(project, cache=cache))
    assert isinstance(outcome, Skipped)
    assert (outcome.code, "nodetool-sandbox-compiler[node]" in outcome.detail) == (
        Code.COMPILER_UNAVAILABLE,
        True,
    )
    assert isinstance(lock_project(project), Skipped)
