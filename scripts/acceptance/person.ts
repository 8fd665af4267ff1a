/** A user with a browser who signs in and allows an agent. */
import { type Browser, chromium } from 'playwright-core';
import { findBrowser, LAUNCH_ARGUMENTS } from '../../test/browser/find-browser.ts';

export class Person {
  readonly #browser: Browser;
  readonly #email: string;
  readonly #password: string;

  private constructor(browser: Browser, email: string, password: string) {
    this.#browser = browser;
    this.#email = email;
    this.#password = password;
  }

  static async withBrowser(email: string, password: string, print: (line: string) => void): Promise<Person> {
    const browser = await chromium.launch({ executablePath: findBrowser(print), args: LAUNCH_ARGUMENTS });
    return new Person(browser, email, password);
  }

  /**
   * Opens the address that an agent printed, signs in and presses Allow, which redirects the browser to the agent. Returns the
   * text of the consent page.
   */
  async allow(address: string): Promise<string> {
    const context = await this.#browser.newContext();
    context.setDefaultTimeout(20_000);
    try {
      const page = await context.newPage();
      await page.goto(address);
      await page.getByLabel('Email').fill(this.#email);
      await page.getByLabel('Password').fill(this.#password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      const allow = page.getByRole('button', { name: /^Allow/ });
      await allow.waitFor();
      const consentText = await page.getByRole('main').innerText();
      const returned = page.waitForResponse((reply) => new URL(reply.url()).searchParams.has('code'));
      await allow.click();
      await returned;
      return consentText;
    } finally {
      await context.close();
    }
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
