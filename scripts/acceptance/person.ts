/** A person with a browser, who signs in and lets an agent in as people do. */
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

  static async inFrontOfBrowser(
    email: string,
    password: string,
    tell: (line: string) => void,
  ): Promise<Person> {
    const browser = await chromium.launch({ executablePath: findBrowser(tell), args: LAUNCH_ARGUMENTS });
    return new Person(browser, email, password);
  }

  /**
   * Opens the address that an agent printed, signs in, reads who asks and presses Allow; the browser then goes to where the agent
   * listens. Gives the text of the page that asked.
   */
  async allow(address: string): Promise<string> {
    const context = await this.#browser.newContext();
    context.setDefaultTimeout(20_000);
    try {
      const page = await context.newPage();
      await page.goto(address);
      await page.getByLabel('E-mail').fill(this.#email);
      await page.getByLabel('Password').fill(this.#password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      const allow = page.getByRole('button', { name: /^Allow/ });
      await allow.waitFor();
      const asked = await page.getByRole('main').innerText();
      const returned = page.waitForResponse((reply) => new URL(reply.url()).searchParams.has('code'));
      await allow.click();
      await returned;
      return asked;
    } finally {
      await context.close();
    }
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
