"""Settings: one order of precedence, errors that name the place, and what a stranger's file may not say."""

from __future__ import annotations

import json
import os
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from kag.cli import settings as settings_file
from kag.cli.main import cli
from kag.cli.setting_values import OTHERS
from kag.cli.settings import (
    LEFT_OUT,
    NOT_THERE,
    OF_COMMANDS,
    OWN,
    SECRET,
    SHARED,
    find_files,
    key_of,
    leaves,
    lines_of,
    settings_of,
)
from kag.core.errors import ConfigError, ModelError
from kag.corpus.layout import Layout
from kag.indexing.run import GRAPH

SETTINGS = settings_of(cli)
Run = Callable[..., Result]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder, a user without a file, and no variables."""
    for name in [name for name in os.environ if name.startswith("KAG_") and name != "KAG_STRICT"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def own_file(here: Path, text: str) -> None:
    path = here.parent / "user" / "kag" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def shown(*words: str) -> dict[tuple[str, str], tuple[object, str]]:
    done = CliRunner().invoke(cli, [*words, "config", "show", "--json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["settings"]
    return {(row["command"], row["key"]): (row["value"], row["origin"]) for row in rows}


def refused(*words: str) -> ConfigError:
    done = CliRunner().invoke(cli, [*words, "config", "show"])
    assert isinstance(done.exception, ConfigError), done.output
    return done.exception


def test_every_setting_is_an_option_and_one_of_its_command() -> None:
    there = {(one.place, one.key) for one in SETTINGS}
    for command, keys in OF_COMMANDS.items():
        assert {(tuple(command.split()), key) for key in keys.split()} <= there, command
    assert set(SECRET) <= there
    assert {key for _, key in there} >= SHARED | OWN
    assert not {(*place, key) for place, key in there} & {(*name.split(), key) for name, key in NOT_THERE}
    assert not {place[0] for place, _ in there} & LEFT_OUT


@pytest.mark.parametrize("key", sorted(SHARED))
def test_a_shared_setting_means_the_same_everywhere(key: str) -> None:
    kinds = {(type(one.option.type), str(getattr(one.option.type, "choices", ""))) for one in SETTINGS
             if one.key == key and one.shared}  # fmt: skip
    bounds = {(getattr(one.option.type, "min", None), getattr(one.option.type, "max", None)) for one in SETTINGS
              if one.key == key and one.shared}  # fmt: skip
    assert len(kinds) == len(bounds) == 1


def test_no_option_reads_a_variable_by_itself() -> None:
    options = [one for _, leaf in leaves(cli) for one in leaf.params if isinstance(one, click.Option)]
    assert [key_of(one) for one in options if one.envvar] == []
    names = {name for one in SETTINGS for name in one.variables}
    assert names & OTHERS <= set(SECRET.values())
    assert {"KAG_LM", "KAG_PDF_PASSWORD", "KAG_EMBEDDINGS", "KAG_SERVE_TOKEN", "KAG_MCP_TOKEN"} <= names


def test_the_order_is_call_variable_folder_project_user_default(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time the first is taken away the next one counts."""

    def taken(*words: str) -> object:
        seen: list[object] = []
        search = cli.commands["search"]
        monkeypatch.setattr(search, "callback", lambda **given: seen.append(given["max_usd"]))
        assert CliRunner().invoke(cli, ["search", "ice", *words]).exit_code == 0
        return seen[0]

    own_file(here, "max-usd = 5\n")
    (here / "pyproject.toml").write_text("[project]\nname = 'x'\n\n[tool.kag]\nmax-usd = 4\n")
    (here / "kag.toml").write_text("[search]\nmax-usd = 3\n")
    monkeypatch.setenv("KAG_MAX_USD", "2")
    assert taken("--max-usd", "1") == 1
    assert (taken(), shown()["", "max-usd"]) == (2, (2.0, "KAG_MAX_USD"))
    monkeypatch.delenv("KAG_MAX_USD")
    assert (taken(), shown()["search", "max-usd"]) == (3, (3, "kag.toml:2"))
    (here / "kag.toml").unlink()
    assert (taken(), shown()["", "max-usd"]) == (4, (4, "pyproject.toml:5"))
    (here / "pyproject.toml").unlink()
    assert (taken(), shown()["", "max-usd"]) == (5, (5, f"{here.parent / 'user/kag/config.toml'}:1"))
    own_file(here, "")
    assert taken() is None
    assert shown() == {}


def test_the_more_special_counts_within_one_file_and_the_higher_file_before_that(here: Path) -> None:
    own_file(here, "[ask]\nmode = 'agent'\n")
    (here / "kag.toml").write_text("mode = 'exact'\n[qa]\nmode = 'agent'\n")
    found = {one.place: one for one in SETTINGS if one.key == "mode"}
    assert {("ask",), ("qa",), ("chat",)} <= set(found)
    told = shown()
    assert told["", "mode"] == ("exact", "kag.toml:1")
    assert told["qa", "mode"] == ("agent", "kag.toml:3")
    assert ("ask", "mode") not in told, "the user's own table is overruled by the folder's word for all"


@pytest.mark.parametrize(
    ("name", "value", "row"),
    [
        ("KAG_CORPUS_INDEX_VECTORS", "yes", ("corpus index", "vectors", True)),
        ("KAG_SERVE_LM", "a/b c/d", ("serve", "lm", ["a/b", "c/d"])),
        ("KAG_INDEX_PAPER_SECONDS", "1.5", ("index", "paper-seconds", 1.5)),
        ("KAG_SEARCH_K", "3", ("search", "k", 3)),
        ("KAG_JUDGE", "false", ("", "judge", False)),
    ],
)
def test_variables_are_read_as_options_are(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, row: tuple[str, str, object]
) -> None:
    monkeypatch.setenv(name, value)
    assert shown()[row[0], row[1]] == (row[2], name)
    monkeypatch.setenv(name, "")
    assert shown() == {}, "an empty variable says nothing"


def test_a_wrong_variable_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAG_MAX_CALLS", "many")
    assert "KAG_MAX_CALLS: max-calls: 'many' is not a valid integer" in refused().message
    monkeypatch.delenv("KAG_MAX_CALLS")
    monkeypatch.setenv("KAG_MAX_CALS", "3")
    done = CliRunner().invoke(cli, ["config", "show"])
    assert "KAG_MAX_CALS sets nothing; did you mean KAG_MAX_CALLS?" in done.stderr


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("\nmax_usd = 1\n", "kag.toml:2: there is no setting 'max_usd' for all commands", "Did you mean max-usd?"),
        ("[indx]\nworkers = 1\n", "kag.toml:1: there is no setting 'indx' for all commands", "Did you mean index?"),
        ("[index]\n\nworkerz = 1\n", "kag.toml:3: there is no setting 'workerz' in [index]", "Did you mean workers?"),
        ("[corpus]\nidx.graph = true\n", "kag.toml:2: there is no setting 'idx' in [corpus]", "index"),
        ("search = 3\n", "kag.toml:1: search is a command, and a whole number is not a setting of it", "[search]"),
        ("[corpus]\nindex = 3\n", "kag.toml:2: index is a command, and a whole", "below a line [corpus.index]"),
        ('corpus = "lib\\u0000x"\n', "kag.toml:1: corpus is a text where one without the sign NUL is", "corpus = "),
        ("[evaluate]\nx = 1\n", "kag.toml:1: there is no setting 'evaluate'", "kag config show --all"),
        ('max-usd = "1"', "kag.toml:1: max-usd is a text where a finite number is expected", "max-usd = 1"),
        ("max-usd = nan", "kag.toml:1: max-usd is a number where a finite number is expected", "max-usd = 1"),
        ("max-calls = true", "kag.toml:1: max-calls is true or false where a whole number is expected", ""),
        ("lm = ['a/b']", "kag.toml:1: lm is a list where a text is expected", ""),
        ("[index]\nworkers = 0", "kag.toml:2: workers: 0 is not in the range x>=1.", "workers = 1"),
        ("mode = 'sigle'", "kag.toml:1: mode: 'sigle' is not one of 'agent', 'exact'", 'mode = "agent"'),
        ("[index.workers]\nx = 1", "kag.toml:1: workers is a table where a whole number is expected", ""),
        ("openai-api-key = 'sk-123'", "kag.toml:1: there is no setting 'openai-api-key'", "never read from a file"),
        ("[serve]\ntoken = 'abc'", "kag.toml:2: token is never read from a file", "KAG_SERVE_TOKEN"),
        ("[audit]\npassword = 'abc'", "kag.toml:2: password is never read from a file", "KAG_PDF_PASSWORD"),
        ("a = 1\nlm = ", "kag.toml:2 is not TOML", ""),
        ("x = 1\nx = 2", "kag.toml:2 is not TOML", ""),
        ("\x00", "kag.toml:1 is not TOML", ""),
    ],
)
def test_what_is_wrong_is_named_with_its_place_whatever_is_called(
    here: Path, text: str, message: str, hint: str
) -> None:
    (here / "kag.toml").write_text(text)
    error = refused()
    assert message in error.message
    assert hint in error.hint
    assert isinstance(CliRunner().invoke(cli, ["tools"]).exception, ConfigError)
    assert CliRunner().invoke(cli, ["--help"]).exit_code == 0


def test_bytes_that_are_no_text_are_told(here: Path) -> None:
    (here / "kag.toml").write_bytes(b"lm = '\xff'")
    assert "kag.toml cannot be read" in refused().message


def test_a_folder_of_that_name_is_told_in_words(here: Path) -> None:
    (here / "kag.toml").mkdir()
    assert refused().message == "kag.toml cannot be read: is a folder and no regular file"


HOSTILE = [
    "lm = 'os:system'",
    "lm = 'evil.module:factory'",
    "lm = 'https://evil.example/v1'",
    "lm = 'openai/https://evil.example/v1'",
    "[index]\nvision = 'https://evil.example#x/y'",
    "checker = 'http://evil.example#m'",
    "embeddings = 'http://evil.example#m'",
    "[index]\nocr = 'http://evil.example'",
    "[index]\nray = 'evil.example:10001'",
    "host = '0.0.0.0'",
    "allow-host = ['evil.example']",
    "checker-prompt = '/etc/passwd'",
    "[index]\nout-dir = '/tmp/elsewhere'",
    "[index]\nout-dir = '../elsewhere'",
    "[index]\nout-dir = '~/elsewhere'",
    "corpus = 'C:\\\\elsewhere'",
    "[mcp]\nsource = ['/etc']",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_file_of_the_folder_leads_nowhere_else(here: Path, text: str) -> None:
    (here / "kag.toml").write_text(text)
    error = refused()
    assert "working folder" in error.message
    assert error.message.startswith("kag.toml:")
    (here / "pyproject.toml").write_text(
        f"[tool.kag]\n{text.replace('[', '[tool.kag.', 1) if text[0] == '[' else text}"
    )
    (here / "kag.toml").unlink()
    assert refused().message.startswith("pyproject.toml:")


@pytest.mark.parametrize("text", [text for text in HOSTILE if "evil" in text or "0.0.0.0" in text])
def test_the_same_may_stand_in_the_users_own_file_or_one_that_is_named(here: Path, text: str) -> None:
    own_file(here, text)
    assert shown()
    own_file(here, "")
    (here / "mine.toml").write_text(text)
    assert shown("--config", "mine.toml")
    assert shown() == {}


def test_a_model_that_the_folder_names_is_told_aloud(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "kag.toml").write_text("# theirs\nlm = 'openai/gpt-5'\n")
    monkeypatch.setattr(cli.commands["search"], "callback", lambda **given: None)
    told = "note: lm is openai/gpt-5, by kag.toml:2"
    assert CliRunner().invoke(cli, ["search", "ice"]).stderr.splitlines() == [told]
    assert CliRunner().invoke(cli, ["search", "ice", "--lm", "offline"]).stderr == ""
    monkeypatch.setenv("KAG_LM", "offline")
    assert CliRunner().invoke(cli, ["search", "ice"]).stderr == ""


def test_what_the_folder_says_against_the_user_is_told_aloud(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_file(here, "max-usd = 0.5\nmax-calls = 3\n")
    (here / "kag.toml").write_text("max-usd = 1000\nmax-calls = 3\nmax-tokens = 5\n")
    monkeypatch.setattr(cli.commands["search"], "callback", lambda **given: None)
    said = CliRunner().invoke(cli, ["search", "ice"]).stderr.splitlines()
    own = here.parent / "user/kag/config.toml"
    assert said == [f"note: max-usd is 1000, by kag.toml:1, not as {own}:1 says"]


def test_offline_for_all_leaves_searches_to_the_rules(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "ice.txt").write_text("Sensors under river ice fail often.")
    monkeypatch.setenv("KAG_LM", "offline")
    words = ["search", "sensors", "--texts", "ice.txt", "--plan", "bm25"]
    assert CliRunner().invoke(cli, words).exit_code == 0
    assert isinstance(CliRunner().invoke(cli, [*words, "--lm", "offline"]).exception, ModelError)


def test_only_this_folder_and_the_user_are_looked_at(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a folder above, nor that of a corpus that is asked, is one."""
    (here / "kag.toml").write_text("max-usd = 3\n")
    below = here / "below"
    below.mkdir()
    library = below / "library"
    library.mkdir()
    (library / "kag.toml").write_text("broken")
    monkeypatch.chdir(below)
    assert shown() == {}
    assert "broken" not in CliRunner().invoke(cli, ["corpus", "list", "--corpus", "library"]).output


@pytest.mark.parametrize("mark", [Layout(Path()).mark.name, GRAPH])
def test_a_file_inside_of_a_corpus_or_a_run_is_not_read(here: Path, mark: str) -> None:
    (here / "kag.toml").write_text("max-usd = 3\n")
    (here / mark).write_text("{}")
    assert shown() == {}
    said = CliRunner().invoke(cli, ["config", "show"]).stderr
    assert "kag.toml of this folder is not read: the folder is a corpus or a run" in said
    assert "kag.toml of this folder is not read" in CliRunner().invoke(cli, ["tools"]).stderr


def test_a_link_or_anothers_file_is_not_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "other.toml").write_text("max-usd = 3\n")
    (here / "kag.toml").symlink_to("other.toml")
    assert find_files()[1] == ("kag.toml of this folder is not read: it is a symbolic link",)
    (here / "kag.toml").unlink()
    (here / "other.toml").rename(here / "kag.toml")
    assert find_files()[0]
    monkeypatch.setattr(settings_file.os, "geteuid", lambda: 4711)
    monkeypatch.setattr(Path, "lstat", lambda path: os.stat_result((0, 0, 0, 0, 4712, 0, 0, 0, 0, 0)))
    assert find_files()[1] == ("kag.toml of this folder is not read: it belongs to another user",)


def test_a_pyproject_of_somebody_else_is_not_our_business(here: Path) -> None:
    for text in ("[tool.other]\nkag = 1\n", "not toml at all [", "# [tool.kagx]\n"):
        (here / "pyproject.toml").write_text(text)
        assert shown() == {}
    (here / "pyproject.toml").write_text("[tool.kag.corpus.index]\nvectors = true\n")
    assert shown()["corpus index", "vectors"] == (True, "pyproject.toml:2")


def test_secrets_are_told_to_be_there_and_not_shown(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAG_SERVE_TOKEN", "0123456789abcdef-private")
    own_file(here, "checker = 'https://me:pr1vate-w0rd@checker.example#model'\n")
    for words in (["--origin"], ["--json"], ["--all"], ["--all", "--json"]):
        done = CliRunner().invoke(cli, ["config", "show", *words])
        assert done.exit_code == 0
        assert "private" not in done.output
        assert "pr1vate" not in done.output
    assert "# token is set  # KAG_SERVE_TOKEN" in CliRunner().invoke(cli, ["config", "show", "--origin"]).stdout


def test_what_is_shown_is_a_file_of_settings(here: Path) -> None:
    text = (
        'allow-host = ["a.example"]\nlm = "a/b"\nmax-usd = 0.5\n\n[corpus.index]\nvectors = true\n\n[search]\nk = 5\n'
    )
    own_file(here, text)
    assert CliRunner().invoke(cli, ["config", "show"]).stdout == text
    everything = CliRunner().invoke(cli, ["config", "show", "--all"]).stdout
    own_file(here, everything)
    again = CliRunner().invoke(cli, ["config", "show", "--all"])
    assert again.stdout == everything, again.output


def test_embeddings_of_the_users_file_are_known_to_what_opens_a_corpus(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(cli.commands["search"], "callback", lambda **given: seen.append(os.environ["KAG_EMBEDDINGS"]))
    own_file(here, "embeddings = 'http://127.0.0.1:1/v1#m'\n")
    assert CliRunner().invoke(cli, ["search", "ice"]).exit_code == 0
    assert seen == ["http://127.0.0.1:1/v1#m"]
    assert not os.environ.get("KAG_EMBEDDINGS"), "and not after it"


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("a = 1\nb = 2\n", ("b",), 2),
        ("[a]\nb = 1\n[c]\nb = 2\n", ("c", "b"), 4),
        ('x = """\nb = 1\n"""\nb = [\n 1,\n]\n', ("b",), 4),
        ("a.b.c = 1\n", ("a", "b", "c"), 1),
        ("a = {b = {c = 1}}\n", ("a",), 1),
        ('# b\n"b" = 1\n', ("b",), 2),
        ("a = 1\n", ("b",), None),
        ("[a]\n[a.b]\n\n[a.c]\nd = {e = 1}\n", ("a", "c", "d"), 5),
        ("[[a]]\nb = 1\n[[a]]\nb = 2\n", ("a",), 1),
        ("a = 1\r\nb = 2\r\n", ("b",), 2),
        ("a = [\n" + "1,\n" * 200 + "]\nb = 2\n", ("b",), 203),
    ],
)
def test_lines_are_found(text: str, path: tuple[str, ...], line: int | None) -> None:
    tomllib.loads(text)
    assert lines_of(text).get(path) == line


HOSTILE_FORMS = [
    "lm = 'a/b'\n" + "# lm = 1\n" * 9_000,
    "x = " + "[" * 40_000,
    "x = '''\n" + "lm = 1\n" * 10_000 + "'''\n",
    "x = [\n" + "'lm = 1',\n" * 98 + "'" + "y" * 80_000 + "']\n",
    "".join(f"a{n} = 1\n" for n in range(9_000)),
    "a." * 20_000 + "b = 1",
    "[" + "a." * 20_000 + "b]",
    "x = " + "{y = " * 5_000 + "1" + "}" * 5_000,
    ("a." * 1_990 + "b = 1\n") * 20,
    "x = " + "{y = " * 390 + "1" + "}" * 390,
]


@pytest.mark.parametrize("text", HOSTILE_FORMS, ids=range(len(HOSTILE_FORMS)))
def test_a_hostile_file_takes_little_time(here: Path, text: str) -> None:
    (here / "kag.toml").write_text(text)
    start = time.process_time()
    done = CliRunner().invoke(cli, ["config", "show"])
    assert isinstance(done.exception, ConfigError) != text.startswith("lm")
    assert time.process_time() - start < 5


def test_a_file_that_is_too_large_is_none(here: Path) -> None:
    (here / "kag.toml").write_text("# long\n" * 20_000)
    assert "kag.toml cannot be read" in refused().message
