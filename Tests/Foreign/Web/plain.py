"""Pages without script."""

import json

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import staleness_of
from selenium.webdriver.support.ui import Select, WebDriverWait
from steps import PATIENCE, Steps, expect

from .accessibility import PAGES
from .browser import Browser
from .pace import patient
from .site import Site


def _submit(plain: Browser, selector: str):
    """Presses a button of a form, and waits for the page that answers it."""
    button = plain.driver.find_element(By.CSS_SELECTOR, selector)
    button.click()
    # While one page gives way to the next, the browser may know a node of neither.
    WebDriverWait(plain.driver, PATIENCE, ignored_exceptions=[WebDriverException]).until(staleness_of(button))


def drive(steps: Steps, site: Site):
    with patient(steps, "without script the pages list, show and post forms", 70), Browser(script=False) as plain:
        plain.driver.implicitly_wait(PATIENCE)
        site.castq("-d", "lobby", "cast", site.playlist("three.m3u", [(name, site.url("menu")) for name in ("One", "Two", "Three")]))
        plain.open(site.address + "/")
        expect("lobby" in plain.driver.page_source, "no screen is listed")
        for path in PAGES:
            plain.open(site.address + path)
        plain.open(site.address + "/d/lobby")
        rows = plain.driver.find_elements(By.CSS_SELECTOR, "castq-queue li")
        titles = site.titles("lobby")
        expect(titles and len(rows) == len(titles), f"{len(rows)} rows for {titles}")
        site.castq("-d", "lobby", "play")
        for path in ("/d/lobby", "/schedule", "/settings"):
            plain.open(site.address + path)
            dead = plain.driver.find_elements(
                By.CSS_SELECTOR, "[data-copy], [data-move], [data-part=leave], [data-part=more], [data-part=speed], [data-part=back], [data-part=ahead], [data-part=menu], [data-part=grip], #theme, #again")
            expect(not any(one.is_displayed() for one in dead), f"{path} has what only a script does")
        plain.open(site.address + "/d/lobby")
        muted = lambda: site.document("-d", "lobby", "status")["volume"]["muted"]

        def offered() -> str:
            plain.open(site.address + "/d/lobby")
            return plain.driver.find_element(By.CSS_SELECTOR, "castq-controller [data-part=mute]").get_attribute("value")

        for act, other in (("mute", "unmute"), ("unmute", "mute")):
            # The page shows what was heard of the screen by then.
            site.until(lambda: offered() == act, offered)
            _submit(plain, "castq-controller [data-part=mute]")
            site.until(lambda: muted() is (act == "mute"), lambda: f"muted: {muted()}")
            site.until(lambda: offered() == other, offered)
        _submit(plain, ".slots [value=stop]")
        expect(plain.driver.current_url.startswith(site.address + "/d/lobby"), plain.driver.current_url)
        state = lambda: json.loads(site.castq("-d", "lobby", "status", "--json", check=False))["player_state"]
        site.until(lambda: state() == "IDLE", state)
    with patient(steps, "without script a rule is added, moved, skipped and switched off by forms", 60), Browser(script=False) as plain:
        plain.driver.implicitly_wait(PATIENCE)

        def find(selector: str):
            return plain.driver.find_element(By.CSS_SELECTOR, selector)

        def rule() -> dict:
            return site.document("schedule", "show", "supper")

        plain.open(site.address + "/schedule")
        _submit(plain, ".page-head .primary")
        find("#drawer summary").click()
        Select(find("#rule-form [name=play]")).select_by_value("menus")
        Select(find("#rule-form [name=device]")).select_by_value("foyer")
        for name, value in (("rule", "supper"), ("from", "18:00"), ("to", "25:00")):
            find(f"#rule-form [name={name}]").send_keys(value)
        _submit(plain, "#rule-form button.primary")
        expect("25:00" in find("#rule-form [role=alert]").text, plain.driver.page_source[:2000])
        for name, value in (("rule", "supper"), ("play", "menus"), ("from", "18:00"), ("to", "25:00")):
            expect(find(f"#rule-form [name={name}]").get_attribute("value") == value, f"{name} is lost")
        find("#rule-form [name=to]").clear()
        find("#rule-form [name=to]").send_keys("1930")
        _submit(plain, "#rule-form button.primary")
        expect("notice=" in plain.driver.current_url, plain.driver.current_url)
        expect((rule()["form"], rule()["expression"], rule()["device"]) == ("daily", "18:00-19:30", "foyer"), f"{rule()}")
        _submit(plain, ".piece[data-rule=supper]")
        find("#answer [name=to]").send_keys("12242030", Keys.TAB, "0230PM")
        _submit(plain, "#answer [value=move-to]")
        expect([one["to"][:16] for one in rule()["exceptions"]] == ["2030-12-24T14:30"], f"{rule()}")
        plain.open(site.address + "/schedule?edit=supper")
        _submit(plain, "#drawer [value=disable]")
        expect(rule()["enabled"] is False, f"{rule()}")
        plain.open(site.address + "/schedule?edit=supper")
        _submit(plain, "#drawer [value=remove-rule]")
        expect("supper" not in site.castq("schedule", "ls"), "it is there")
        _submit(plain, "form.notice button")
        expect(rule()["enabled"] is False and len(rule()["exceptions"]) == 1, f"{rule()}")
        site.castq("schedule", "rm", "supper")
        plain.open(site.address + "/schedule?new=&device=foyer")
        find("#rule-form .kinds label:last-of-type").click()
        Select(find("#rule-form [name=play]")).select_by_value("menus")
        Select(find("#rule-form [name=often]")).select_by_value("day")
        expect(not find("#rule-form [name=from]").is_displayed(), "an announcement has fields of a time")
        find("#rule-form [name=at]").send_keys("1845")
        _submit(plain, "#rule-form button.primary")
        made = site.document("schedule", "show", "menus")
        expect((made["kind"], made["expression"]) == ("trigger", "45 18 * * *"), f"{made}")
        site.castq("schedule", "rm", "menus")
