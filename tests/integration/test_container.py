"""The container without Docker: linted, its steps run in a scratch folder, and what it starts asked for its health.

Steps that need the system of the image (apt-get, useradd, chown, rm of apt's lists) are left out, and just these. What
the registry would send is taken from the environment of the tests: the packages that kag needs are not installed anew,
kag itself is, from the files that are copied and no others.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

from kag.cli.main import cli
from kag.cli.settings import settings_of
from tests.shown import parse

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "scripts" / "container"
DOCKERFILE, COMPOSE = FOLDER / "Dockerfile", FOLDER / "compose.yaml"
OF_THE_SYSTEM = {"apt-get", "useradd", "chown", "rm"}
PLACES = re.compile(r"(?<![\w./])/(?=(?:opt|src|data)\b)")


def program(name: str) -> str:
    found = shutil.which(name, path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def test_the_dockerfile_lints() -> None:
    done = subprocess.run([program("hadolint"), DOCKERFILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@dataclass
class Image:
    """The steps of a Dockerfile carried out below `root`, a folder a stage; `left` are those that were not."""

    root: Path
    stages: dict[str, Path] = field(default_factory=dict)
    here: Path = Path()
    work: str = "/"
    variables: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    entry: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def build(self, steps: list[tuple[str, str]]) -> Image:
        for name, value in steps:
            getattr(self, f"_{name.lower()}")(value)
        return self

    def _comment(self, value: str) -> None: ...
    def _user(self, value: str) -> None: ...
    def _volume(self, value: str) -> None: ...
    def _expose(self, value: str) -> None: ...

    def _from(self, value: str) -> None:
        self.here = self.root / f"stage{len(self.stages)}"
        self.here.mkdir()
        self.stages[value.partition(" AS ")[2] or str(len(self.stages))] = self.here
        self.work, self.variables = "/", {}

    def _workdir(self, value: str) -> None:
        self.work = value
        self.at(value).mkdir(parents=True, exist_ok=True)

    def _env(self, value: str) -> None:
        for one in value.split():
            name, _, text = one.partition("=")
            self.variables[name] = self.moved(text.replace("$PATH", os.environ["PATH"]))

    def _copy(self, value: str) -> None:
        words = value.split()
        stage = words.pop(0).removeprefix("--from=") if words[0].startswith("--") else ""
        *sources, target = words
        for one in sources:
            source = self.stages[stage] / one.lstrip("/") if stage else ROOT / one
            into = self.at(target)
            into = into / source.name if target.endswith("./") or target == "./" else into
            files = [source] if source.is_file() else [path for path in source.rglob("*") if path.is_file()]
            for path in files:
                if stage or is_sent(path.relative_to(ROOT).as_posix()):
                    to = into / path.relative_to(source) if path != source else into
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, to)

    def _run(self, value: str) -> None:
        for part in re.split(r"\s+&&\s+", value):
            if part.split()[0] in OF_THE_SYSTEM:
                self.left.append(part)
                continue
            subprocess.run(
                ["bash", "-ec", self.moved(part)], cwd=self.at(self.work), env=self.environment(), check=True
            )

    def _healthcheck(self, value: str) -> None:
        self.health = json.loads(value[value.index("[") :])

    def _entrypoint(self, value: str) -> None:
        self.entry = json.loads(value)

    def _cmd(self, value: str) -> None:
        self.command = json.loads(value)

    def at(self, path: str) -> Path:
        """A path of the image on this machine."""
        return self.here / path.lstrip("/") if path.startswith("/") else self.here / self.work.lstrip("/") / path

    def moved(self, text: str) -> str:
        return PLACES.sub(f"{self.here}/", text)

    def environment(self) -> dict[str, str]:
        """What a step has: the packages of the tests stand in for the registry."""
        pip = {
            "PIP_NO_INDEX": "1",
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_QUIET": "1",
            "PIP_NO_COMPILE": "1",
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KAG_")}
        return {**kept, **pip, "PYTHONPATH": sysconfig.get_path("purelib"), **self.variables}


def is_sent(path: str) -> bool:
    """Whether .dockerignore lets a file through: of its lines the last that fits counts."""
    sent = True
    for line in (FOLDER / "Dockerfile.dockerignore").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern = line.lstrip("!").replace("**/", "*").replace("/**", "/*").replace("**", "*")
            if fnmatch(path, pattern) or (pattern.startswith("*") and fnmatch(f"/{path}", f"*/{pattern.lstrip('*')}*")):
                sent = line.startswith("!")
    return sent


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    parser = pytest.importorskip("dockerfile_parse").DockerfileParser(fileobj=DOCKERFILE.open("rb"))
    pytest.importorskip("hatchling")
    steps = [(one["instruction"], one["value"]) for one in parser.structure]
    return Image(tmp_path_factory.mktemp("image")).build(steps)


def test_its_steps_make_a_kag_that_needs_no_other_file_of_the_repository(image: Image) -> None:
    assert {part.split()[0] for part in image.left} == OF_THE_SYSTEM
    done = subprocess.run(
        [image.at("/opt/kag/bin/python"), "-c", "import kag; print(kag.__file__)"],
        cwd=image.at("/data"), env=image.environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith(str(image.stages["build"].parent))
    assert "/opt/kag/lib/" in done.stdout


def test_nothing_private_is_sent() -> None:
    assert is_sent("kag/cli/main.py")
    assert is_sent("kag/indexing/references/words.toml")
    for path in (
        ".git/config",
        ".env",
        "kag.toml",
        "runs/x/y.ttl",
        "kag/cli/__pycache__/main.cpython-312.pyc",
        "docs/a.md",
    ):
        assert not is_sent(path), path


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_it_starts_and_is_healthy_and_asks_for_a_token(image: Image, port: int) -> None:
    environment = {**image.environment(), "KAG_SERVE_PORT": str(port), "KAG_SERVE_TOKEN": "0123456789abcdef-test"}
    entry = [str(image.at(f"/opt/kag/bin/{image.entry[0]}")), *image.entry[1:], *map(image.moved, image.command)]
    # The shebang of the script names the place where the first stage made it, which is the same place in an image.
    command = [str(image.at("/opt/kag/bin/python")), *entry]
    with subprocess.Popen(
        command, cwd=image.at("/data"), env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline().startswith("http://0.0.0.0:")
        health = [str(image.at("/opt/kag/bin/python")), *image.health[1:]]
        for _ in range(100):
            if subprocess.run(health, env=environment, stderr=subprocess.DEVNULL, check=False).returncode == 0:
                break
            time.sleep(0.1)
        else:
            raise AssertionError("it is not healthy")
        import httpx

        assert httpx.get(f"http://127.0.0.1:{port}/api/v1/papers").status_code == 401
        key = {"Authorization": "Bearer 0123456789abcdef-test"}
        assert httpx.get(f"http://127.0.0.1:{port}/api/v1/papers", headers=key).status_code == 200
        process.send_signal(signal.SIGTERM)


# ---- compose ----


def read_compose(folder: Path, *profiles: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What podman-compose makes of the file; it asks podman for its version alone, which a stand-in says."""
    stand_in = folder / "podman"
    stand_in.write_text('#!/bin/sh\necho "podman version 5.0.0"\n')
    stand_in.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KAG_")}
    environment = {**kept, "PATH": f"{folder}:{os.environ['PATH']}", **variables}
    words = [program("podman-compose"), "-f", str(COMPOSE), *(word for one in profiles for word in ("--profile", one))]
    return subprocess.run([*words, "config"], env=environment, capture_output=True, text=True, check=False)


def test_compose_is_read_and_wants_a_token(tmp_path: Path) -> None:
    assert "KAG_SERVE_TOKEN" in read_compose(tmp_path).stderr
    alone = yaml.safe_load(read_compose(tmp_path, KAG_SERVE_TOKEN="x" * 24).stdout)
    assert set(alone["services"]) == {"kag"}
    every = yaml.safe_load(read_compose(tmp_path, "model", "store", "push", KAG_SERVE_TOKEN="x" * 24).stdout)[
        "services"
    ]
    assert set(every) == {"kag", "vllm", "oxigraph", "push"}
    used = {one.partition(":")[0] for service in every.values() for one in service["volumes"]}
    assert used == set(yaml.safe_load(COMPOSE.read_text())["volumes"])
    for service in every.values():
        assert all(one.startswith("127.0.0.1:") for one in service.get("ports", ())), "nobody else reaches it unasked"


def test_what_compose_says_to_kag_is_known_to_it(image: Image) -> None:
    services = yaml.safe_load(COMPOSE.read_text())["services"]
    assert (ROOT / services["kag"]["build"]["dockerfile"]) == DOCKERFILE
    parse(image.command)
    parse(services["push"]["command"])
    known = {name for one in settings_of(cli) for name in one.variables}
    said = {*services["kag"]["environment"], *image.variables}
    assert {name for name in said if name.startswith("KAG_")} <= known
    model = services["vllm"]["command"]
    assert services["kag"]["environment"]["HOSTED_VLLM_API_BASE"] == f"http://vllm:{model[-1]}/v1"
    store = services["oxigraph"]["command"][-1].rpartition(":")[2]
    assert services["push"]["command"][1] == f"http://oxigraph:{store}/store"
