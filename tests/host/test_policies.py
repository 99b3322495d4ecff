"""What the page that plays may do is said by the host, by the service worker, and in its files."""

import re

from pbem.host.browser_program_files import PAGE_POLICY, WORKER_POLICY
from tests.kit.selection import ROOT

FILES = ROOT / "site" / "page"
Policy = dict[str, set[str]]


def parts(text: str) -> Policy:
    """The directives of a policy, without who may frame the page, which a file cannot say."""
    pairs = (one.split(maxsplit=1) for one in text.split(";"))
    found = {name: {*values.split()} for name, values in pairs}
    found.pop("frame-ancestors", None)
    return found


def in_file(name: str) -> Policy:
    found = re.search(r'content-security-policy" content="([^"]+)"', (FILES / name).read_text())
    assert found
    return parts(found[1])


def of_the_service_worker(name: str) -> Policy:
    text = (FILES / "sw.js").read_text()
    found = re.search(rf"""^  {name}: (["`])(.*)\1,$""", text, re.MULTILINE)
    assert found
    return parts(found[2])


def test_host_service_worker_and_files_state_the_same_page_policies():
    assert in_file("index.html") == of_the_service_worker("shell") == parts(PAGE_POLICY)
    assert in_file("blank.html") == of_the_service_worker("page")
    hosts = "'self' ${HOSTS}"
    assert of_the_service_worker("worker") == parts(WORKER_POLICY.format(hosts))


def test_no_framed_page_may_do_more_than_the_page_around_it():
    around = of_the_service_worker("shell")
    assert all(allowed == around[name] for name, allowed in of_the_service_worker("page").items())
    assert "'unsafe-inline'" not in PAGE_POLICY + WORKER_POLICY
