"""A person's whole way through the studio, in a real browser: headless Chromium driven by Playwright."""

import re
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

from browser import chromium, chromium_browser, new_page, running_studio  # noqa: E402

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium is installed")
expect = playwright.expect


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """One running studio for the tests that do not end it; each opens its own table."""
    with running_studio(tmp_path_factory.mktemp("studio")) as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    with chromium_browser() as opened:
        yield opened


def learn_example(page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Open the example").click()
    page.get_by_role("link", name="Go on to learning").click()
    page.get_by_role("button", name="Learn the rules").click()
    expect(page.get_by_role("heading", name="Rules for loan")).to_be_visible(timeout=120_000)


def test_from_a_table_to_saved_rules(studio: str, browser) -> None:
    """Columns, learning, rules, confusion matrix, proof, what-if, edit with effect, save; nothing from elsewhere."""
    complaints: list[str] = []
    address = studio
    with new_page(browser, viewport={"width": 1280, "height": 860}) as page:
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(address) else complaints.append(request.url))

        page.goto(f"{address}#data")
        page.get_by_role("button", name="Open the example").click()
        page.get_by_label("Kind of years_in_job").select_option("categorical")
        expect(page.get_by_role("status")).to_contain_text("years_in_job is read as categorical")
        page.get_by_label("Kind of years_in_job").select_option("numerical")
        expect(page.get_by_role("status")).to_contain_text("years_in_job is read as numerical")
        page.get_by_label("Rules conclude").select_option("approved")
        page.get_by_role("link", name="Go on to learning").click()
        page.get_by_label("How", exact=True).select_option("fold-r++")  # it has exceptions here
        page.get_by_role("button", name="Learn the rules").click()
        expect(page.get_by_role("heading", name="Rules for loan")).to_be_visible(timeout=120_000)
        expect(page.locator(".line.rule").first).to_contain_text("1  approved")
        expect(page.locator(".line.against").first).to_contain_text("unless")

        page.get_by_label("held-out rows").check()
        expect(page.locator(".line.default")).to_contain_text("Else: refused")
        page.locator(".line.rule a").first.click()
        expect(page.get_by_text("rule 1 holds")).to_be_visible()
        page.go_back()
        wrong = page.locator(".matrix td.wrong a").first
        n_wrong = int(wrong.inner_text().replace(",", ""))
        wrong.click()
        expect(page.locator(".pager")).to_contain_text(f"of {n_wrong}")

        page.locator("table.rows tbody a").first.click()
        panel = page.get_by_role("complementary", name="One row")
        expect(panel).to_contain_text("Why")
        before = panel.locator(".verdict strong").inner_text()
        for income, housing in (("100", "family"), ("50000", "owner")):
            panel.get_by_label("income").fill(income)
            panel.get_by_label("housing").fill(housing)
            panel.get_by_label("years_in_job").fill("3")
            panel.get_by_label("history").fill("clean")
            expect(panel.locator(".verdict strong")).to_have_text("refused" if income == "100" else "approved")
        panel.get_by_role("button", name="Back to the row").click()
        expect(panel.locator(".verdict strong")).to_have_text(before)
        page.keyboard.press("Escape")
        expect(panel).to_be_hidden()

        page.get_by_role("link", name="Picture").click()
        picture = page.locator("img.picture")
        expect(picture).to_be_visible()
        assert picture.evaluate("async (image) => { await image.decode(); return image.naturalWidth }") > 0

        page.get_by_role("link", name="Edit").click()
        area = page.get_by_label("The program", exact=True)
        text = area.input_value()
        area.fill(text.replace("30000.0", "20000.0", 1))
        expect(page.get_by_label("What would change")).to_contain_text(re.compile(r"\d+ of 2,000 rows flip"))
        expect(page.locator(".measures")).to_contain_text("accuracy")
        area.fill(text.replace(" :- ", " : - ", 1))
        expect(page.locator("#error")).to_contain_text("unexpected ':'")
        expect(page.get_by_role("button", name="Use this program")).to_be_disabled()
        area.fill(text.replace("30000.0", "29000.0", 1))
        page.get_by_role("button", name="Use this program").click()
        expect(page.get_by_role("status")).to_contain_text("The program is changed")
        page.get_by_text("Save", exact=True).click()
        for name, part in (("the program", "29000.0"), ("the HTML report", "<svg"), ("the predictions", "row,loan")):
            with page.expect_download() as download:
                page.get_by_role("link", name=f"Download {name}").click()
            assert part in Path(download.value.path()).read_text()
        page.get_by_role("button", name="Back to the program before").click()
        expect(area).to_have_value(text)
    assert complaints == []


def test_the_page_says_that_learning_waits_for_compiling(studio: str, browser) -> None:
    """What the server says while kernels are compiled is shown, and learning goes on from there."""
    n_asked = 0

    def compiling(route) -> None:
        nonlocal n_asked
        n_asked += route.request.method == "GET"
        if route.request.method == "GET" and n_asked <= 3:
            route.fulfill(json={"stage": "running", "waiting_for": "compiling", "n_rules": 0, "seconds": 1.0})
        else:
            route.continue_()

    with new_page(browser) as page:
        page.goto(f"{studio}#data")
        page.get_by_role("button", name="Open the example").click()
        page.get_by_role("link", name="Go on to learning").click()
        page.route("**/api/studio/learning", compiling)
        page.get_by_role("button", name="Learn the rules").click()
        expect(page.locator("#progress")).to_have_text("Compiling the learner, once on this machine …")
        expect(page.get_by_role("heading", name="Rules for loan")).to_be_visible(timeout=120_000)


def test_no_edit_is_lost_when_the_server_goes_away(tmp_path: Path, browser) -> None:
    """An edit made while the server is down reaches it when it is back, and survives a closed page."""
    with new_page(browser) as page:
        with running_studio(tmp_path) as address:
            learn_example(page, address)
            page.get_by_role("link", name="Edit").click()
            area = page.get_by_label("The program", exact=True)
            area.fill("% one\n" + area.input_value())
            expect(page.locator("#kept")).to_have_text("draft kept")
        area.fill("% two\n" + area.input_value())
        expect(page.locator("#kept")).to_contain_text("when the server is back")
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        with running_studio(tmp_path, port=port):
            expect(page.locator("#kept")).to_have_text("draft kept", timeout=20_000)
            page.goto("about:blank")
            page.goto(f"{address}#edit")
            expect(page.get_by_label("The program", exact=True)).to_have_value(re.compile("^% two\n% one\n"))


def test_names_from_data_are_shown_as_text(tmp_path: Path, studio: str, browser) -> None:
    """A column called <script>, words that are markup, and a long name: shown, never run, in a narrow window."""
    evil = "<script>document.title='run'</script><img src=x onerror=document.title='run'>"
    rows = "".join(f"{evil if i % 2 else 'ok'},{i},{'<b>yes</b>' if i % 2 else 'no'}\n" for i in range(60))
    table = tmp_path / "evil.csv"
    table.write_text(f'{evil},"n {"x" * 300}",label\n{rows}')
    address = studio
    with new_page(browser, viewport={"width": 400, "height": 800}, color_scheme="dark") as page:
        page.goto(f"{address}#data")
        page.locator("input[type=file]").set_input_files(table)
        expect(page.get_by_role("rowheader", name=evil)).to_be_visible()
        page.get_by_role("link", name="Go on to learning").click()
        page.get_by_role("button", name="Learn the rules").click()
        expect(page.get_by_role("heading", name="Rules for label")).to_be_visible(timeout=120_000)
        expect(page.locator(".line.rule").first).to_contain_text("<script>")
        for screen in ("columns", "rules", "picture", "rows?row=1", "edit"):
            page.goto(f"{address}#{screen}")
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            page.wait_for_timeout(200)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{screen} is too wide"
            assert page.title() != "run"


def test_the_keyboard_is_enough(studio: str, browser) -> None:
    """Open, go on, learn and reach a rule's rows without a mouse; focus is always somewhere that can be seen."""
    with new_page(browser) as page:
        page.goto(f"{studio}#data")
        page.get_by_role("heading", name="From a table").wait_for()

        def press_until(name: str) -> None:
            for _ in range(60):
                page.keyboard.press("Tab")
                focused = page.evaluate("[document.activeElement.innerText, document.activeElement.tagName]")
                if focused[0] and name in focused[0]:
                    return
            pytest.fail(f"{name} cannot be reached by Tab")

        press_until("Open the example")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Columns", exact=True)).to_be_focused()
        press_until("Go on to learning")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Learn", exact=True)).to_be_focused()
        press_until("Learn the rules")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Rules for loan")).to_be_focused(timeout=120_000)
        press_until("1 approved")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Rows", exact=True)).to_be_focused()


def test_odd_columns_are_mended_by_a_click(studio: str, browser, tmp_path: Path) -> None:
    rows = [f"A-{i},{10000 + i % 7},{'?' if i % 5 == 0 else 'x'},{'yes' if i % 3 else 'no'}" for i in range(60)]
    (tmp_path / "odd.csv").write_text("id,zip,w,y\n" + "\n".join(rows) + "\n")
    with new_page(browser, viewport={"width": 1280, "height": 860}) as page:
        page.goto(f"{studio}#data")
        page.locator("input[type=file]").set_input_files(tmp_path / "odd.csv")
        expect(page.get_by_label("Use id")).not_to_be_checked()
        expect(page.get_by_role("row", name="id")).to_contain_text("it names its rows and is left out")
        page.get_by_role("button", name="Take ? as missing").click()
        expect(page.get_by_role("status")).to_contain_text("These words mean missing: ?")
        expect(page.get_by_role("button", name="Take ? as missing")).to_have_count(0)
        page.get_by_role("button", name="Take zip as words").click()
        expect(page.get_by_label("Kind of zip")).to_have_value("categorical")
        page.get_by_label("Use id").check()
        expect(page.get_by_role("status")).to_contain_text("id is used")
