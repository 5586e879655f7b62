"""Headless Chromium for the tests of pages: a window of a width, by day or by night, and what is wrong with what it shows."""

import shutil
import tempfile
import time

# Nothing of the system is seen, and nothing is asked of a network.
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-device-scale-factor=1", "--allow-file-access-from-files")


class Browser:
    """A page at a width, by day or by night."""

    def __init__(self, dark, width, height=1100):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        for word in (*OPTIONS, f"--user-data-dir={self.profile.name}"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.width, self.height = width, height
        self.resize(height)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def resize(self, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": self.width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def open(self, where):
        """A page: a path, or an address."""
        self.driver.get(where if isinstance(where, str) else where.resolve().as_uri())

    def js(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def wait(self, code, seconds=120):
        """The value of an expression once it is true; None when it never was. The limit is for what hangs."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.js("return " + code)
            if value:
                return value
            time.sleep(.05)
        return None

    def keys(self, *keys):
        """Keys for whatever has the focus."""
        from selenium.webdriver import ActionChains
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, key, letter):
        from selenium.webdriver import ActionChains
        ActionChains(self.driver).key_down(key).send_keys(letter).key_up(key).perform()

    def text(self, selector):
        return self.js("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent).join('|')", selector)

    def key(self, selector, *keys):
        from selenium.webdriver.common.by import By
        element = self.driver.find_element(By.CSS_SELECTOR, selector)
        element.send_keys(*keys)

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def shot(self, path):
        if path:
            size = self.js("return document.documentElement.scrollHeight")
            self.resize(min(size, 6000))
            self.js("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            self.driver.save_screenshot(str(path))
            self.resize(self.height)

    def close(self):
        self.driver.quit()
        self.profile.cleanup()


# Contrast of every text with what is behind it, by the formula of WCAG 2; too little is below 4.5.
CONTRAST = """
const parse = c => (c.match(/[\\d.]+/g) || []).map((v, i) => c.startsWith("color(") && i < 3 ? 255 * v : Number(v)); // color-mix gives shares
const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
const behind = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > .99) return c.slice(0, 3); } return [255, 255, 255]; };
const found = [];
for (const e of document.querySelectorAll("body *")) {
  if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || ["SCRIPT", "NOSCRIPT", "STYLE", "OPTION"].includes(e.tagName)) continue;
  const a = light(parse(getComputedStyle(e).color).slice(0, 3)), b = light(behind(e)), ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < 4.5) found.push(`${e.tagName}.${e.className} ${e.textContent.slice(0, 30)}: ${ratio.toFixed(2)}`);
}
const style = getComputedStyle(document.documentElement), of = n => { const h = style.getPropertyValue(n).trim().slice(1); return [0, 2, 4].map(i => parseInt(h.slice(i, i + 2), 16)); };
for (const box of ["--load", "--store", "--gather", "--pick", "--issue", "--wait", "--barrier"]) {
  const a = light(of("--on")), b = light(of(box)), ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < 4.5) found.push(`label on ${box}: ${ratio.toFixed(2)}`);
}
return found;
"""

# Elements of the page that are wider than the window, or that lie on each other in one row.
OVERLAP = """
const found = [];
if (document.documentElement.scrollWidth > window.innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
for (const row of document.querySelectorAll("#time, nav, .orders, #state tr")) {
  const parts = [...row.children].map(e => e.getBoundingClientRect()).filter(r => r.width && r.height);
  parts.forEach((a, i) => parts.slice(i + 1).forEach(b => {
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) found.push(`${row.id || row.className || row.tagName}: parts overlap`);
  }));
}
return found;
"""
