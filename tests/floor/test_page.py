"""The built page as browsers get it: any address, the right type, packed, and cached as long as it may be."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.floor.indoors import Indoors, code_of, indoors

INDEX = b"<!doctype html><title>puntobanco</title>" + b" " * 2000
SCRIPT = b"export const cards = [" + b"'9h', " * 500 + b"]"
PICTURE = bytes(range(256))
LANGUAGES = ("虎.json", "a b.json")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indoors]:
    folder = tmp_path_factory.mktemp("built")
    (folder / "secret.txt").write_text("outside of the page")
    page = folder / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_bytes(INDEX)
    (page / "assets" / "main-1234.js").write_bytes(SCRIPT)
    (page / "card.png").write_bytes(PICTURE)
    for name in LANGUAGES:
        (page / name).write_bytes(b"{}")
    (page / "link.txt").symlink_to(folder / "secret.txt")
    with indoors(page=str(page)) as found:
        yield found


def get(house: Indoors, path: str, **headers: str) -> httpx.Response:
    url = httpx.URL(house.address).copy_with(raw_path=path.encode())
    plain = {"accept-encoding": "identity"}
    return house.http.send(
        httpx.Request("GET", url, headers=plain | {k.replace("_", "-"): v for k, v in headers.items()})
    )


@pytest.mark.parametrize("path", ["/", "/tables/T1", "/lobby", "/odds/super-six/", "/tables/T1?seat=3", "/%E8%99%8E"])
def test_every_address_that_is_none_of_the_interface_shows_the_page(house: Indoors, path: str) -> None:
    answer = get(house, path)
    assert (answer.status_code, answer.content) == (200, INDEX)
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "content", "media_type", "caching"),
    [
        ("/assets/main-1234.js", SCRIPT, "text/javascript", "public, max-age=31536000, immutable"),
        ("/card.png", PICTURE, "image/png", "no-cache"),
        ("/%E8%99%8E.json", b"{}", "application/json", "no-cache"),
        ("/a%20b.json", b"{}", "application/json", "no-cache"),
    ],
)
def test_files_have_their_types_and_their_time(
    house: Indoors, path: str, content: bytes, media_type: str, caching: str
) -> None:
    answer = get(house, path)
    assert (answer.status_code, answer.content) == (200, content)
    assert answer.headers["content-type"].startswith(media_type)
    assert answer.headers["cache-control"] == caching


@pytest.mark.parametrize("path", ["/", "/assets/main-1234.js", "/card.png"])
def test_what_a_browser_has_already_is_not_sent_again(house: Indoors, path: str) -> None:
    tag = get(house, path).headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = get(house, path, if_none_match=known)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag), known
    for known in ('"other"', "", tag.strip('"')):
        assert get(house, path, if_none_match=known).status_code == 200, known


@pytest.mark.parametrize(
    ("accepts", "packed"),
    [
        ("gzip", True),
        ("br, gzip;q=0.5", True),
        ("GZIP", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("identity", False),
    ],
)
def test_files_are_packed_for_whoever_takes_them_so(house: Indoors, accepts: str, packed: bool) -> None:
    url = httpx.URL(house.address + "/assets/main-1234.js")
    with house.http.stream("GET", url, headers={"accept-encoding": accepts}) as answer:
        raw = b"".join(answer.iter_raw())
    assert (answer.headers.get("content-encoding") == "gzip") == packed
    assert answer.headers["vary"] == "accept-encoding"
    assert (gzip.decompress(raw) if packed else raw) == SCRIPT
    assert not packed or len(raw) < len(SCRIPT) / 5


def test_what_packing_does_not_make_smaller_is_sent_as_it_is(house: Indoors) -> None:
    with house.http.stream("GET", house.address + "/card.png", headers={"accept-encoding": "gzip"}) as answer:
        assert b"".join(answer.iter_raw()) == PICTURE
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/..%5csecret.txt",
        "/....//secret.txt",
        "//etc/hosts.txt",
        "/file.txt%00.html",
        "/assets/nothing.js",
        "/favicon.ico",
    ],
)
def test_nothing_outside_of_the_page_is_served(house: Indoors, path: str) -> None:
    answer = get(house, path)
    assert (answer.status_code, code_of(answer)) == (404, "not_found")


def test_a_link_to_a_file_outside_is_no_part_of_the_page(house: Indoors) -> None:
    assert "outside" not in get(house, "/link.txt").text


def test_without_a_page_the_interface_is_served_all_the_same(tmp_path: Path) -> None:
    with indoors(page=str(tmp_path / "not there")) as house:
        for path in ("/", "/table/T1"):
            answer = get(house, path)
            assert (answer.status_code, answer.headers["content-type"]) == (503, "text/plain; charset=utf-8")
            assert "scripts/build-page" in answer.text
            assert "/api/docs" in answer.text
        assert code_of(get(house, "/api/nothing")) == "not_found"
        assert get(house, "/health").json()["status"] == "ok"
