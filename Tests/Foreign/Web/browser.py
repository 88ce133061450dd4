"""Chromium, driven by selenium, that keeps what pages complain of."""

import json
import os
import shutil
import time

from steps import PATIENCE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")


def missing() -> str | None:
    """Why no browser can be driven here; None when one can."""
    if not CHROMIUM or not DRIVER:
        return "Chromium or its driver is not here (Debian: chromium chromium-driver)"
    try:
        import axe_playwright_python  # noqa: F401
        import selenium  # noqa: F401
    except ImportError as error:
        return f"this Python has no {error.name} (make venv)"
    return None


def axe() -> str:
    import pathlib

    import axe_playwright_python

    return (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


class Browser:
    """A window of a fresh profile."""

    # Seconds for which a page is asked at a time.
    slice = 4

    def __init__(self, width: int = 1280, height: int = 900, script: bool = True):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        options = Options()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--lang=en",
                         "--force-color-profile=srgb", "--hide-scrollbars"):
            options.add_argument(argument)
        if not script:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER, env={**os.environ, "LANG": "C.UTF-8"}))
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)
        self.size(width, height)
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def size(self, width: int, height: int):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def media(self, **features: str):
        """Media features such as prefers_color_scheme="dark"."""
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": listed})

    def open(self, address: str):
        self.driver.get(address)

    def run(self, script: str, *arguments):
        """Runs a script of the driver's, with `arguments`."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str, *arguments, limit: float = PATIENCE):
        """Waits in the page until an expression is true; it is asked again whenever the page changes or a quarter second passes."""
        script = """
          const done = arguments[arguments.length - 1];
          const values = Array.from(arguments).slice(0, -1);
          const is = () => { try { return (%s); } catch (error) { return false; } };
          let value = is();
          if (value) return done(value);
          const end = (value) => { observer.disconnect(); clearInterval(timer); clearTimeout(limit); done(value); };
          const look = () => { value = is(); if (value) end(value); };
          const observer = new MutationObserver(look);
          observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
          const timer = setInterval(look, 250);
          const limit = setTimeout(() => end(null), %d);
        """ % (condition, self.slice * 1000)
        from selenium.common.exceptions import InvalidSessionIdException, JavascriptException, WebDriverException

        # A page that loads anew takes its scripts with it, and does not always say so: the new one is asked.
        end = time.monotonic() + max(limit, PATIENCE)
        value = None
        self.driver.set_script_timeout(self.slice + 3)
        while not value and time.monotonic() < end:
            try:
                value = self.driver.execute_async_script(script, *arguments)
            except InvalidSessionIdException:
                raise
            except JavascriptException as error:
                if "unloaded" not in str(error):
                    raise
            except WebDriverException:
                # Late, or between one page and the next, of neither of which the browser knows anything.
                continue
        self.driver.set_script_timeout(PATIENCE)
        if not value:
            raise AssertionError(f"never came: {condition} {arguments}; the page says: {self.text()[:600]!r}")
        return value

    def text(self, selector: str = "body") -> str:
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def click(self, selector: str):
        from selenium.common.exceptions import (
            ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException, StaleElementReferenceException,
            WebDriverException)
        from selenium.webdriver.common.by import By

        end = time.monotonic() + PATIENCE
        while True:
            self.wait("document.querySelector(values[0])", selector)
            try:
                return self.driver.find_element(By.CSS_SELECTOR, selector).click()
            except WebDriverException as error:
                # Nothing was clicked: what is there is drawn anew, is not laid out yet, or lies below what is about to go. The driver has
                # no name for an element that goes while it is scrolled to.
                in_vain = isinstance(error, (
                    ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException, StaleElementReferenceException))
                if not (in_vain or "does not belong to the document" in str(error)) or time.monotonic() > end:
                    raise
                if isinstance(error, ElementClickInterceptedException):
                    # As a person scrolls what lies below the bar at the bottom; the driver scrolls only to what is out of sight.
                    self.run("document.querySelector(arguments[0])?.scrollIntoView({block: 'center', behavior: 'instant'})", selector)
                time.sleep(0.1)

    def keys(self, *keys: str):
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def picture(self, path: str):
        self.driver.save_screenshot(path)

    def collect(self):
        """Takes what the browser has logged since the last time."""
        for entry in self.driver.get_log("browser"):
            if entry["level"] in ("SEVERE", "WARNING"):
                self.complaints.append(f"{entry['level']} {entry['message']}")
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
        return self
