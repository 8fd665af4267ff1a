/** The frame around every page: keyboard shortcuts, the palette, the theme, the phone's menu, unknown addresses. */
import { describe, expect, it } from 'vitest';
import { startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();
const { acme } = service;

describe('the keyboard', () => {
  it('goes to every page with g and a letter, but not while typing', async () => {
    const { page } = await newPerson(service.url, { as: acme.owner });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    for (const [key, heading] of [
      ['k', 'API keys'],
      ['a', 'Account'],
      ['p', 'People'],
      ['l', 'Audit log'],
      ['h', /Welcome/],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await untilLoaded(page, heading);
    }
    await page.goto('/settings/account');
    await untilLoaded(page, 'Account');
    await page.getByLabel('Current password').focus();
    await page.keyboard.type('gk?/');
    await expect(page.getByLabel('Current password').inputValue()).resolves.toBe('gk?/');
    await untilLoaded(page, 'Account');
    await expect(page.getByRole('dialog').count()).resolves.toBe(0);
  });

  it('opens the palette with Ctrl-K and /, finds a page by a few letters, and restores the focus', async () => {
    const { page } = await newPerson(service.url, { as: acme.owner });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    const link = page.getByRole('link', { name: 'Account' });
    await link.focus();
    await page.keyboard.press('/');
    await page.getByPlaceholder('Search pages').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Account');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('audi');
    await page.keyboard.press('Enter');
    await untilLoaded(page, 'Audit log');
    await expect(page.getByRole('dialog').count()).resolves.toBe(0);
  });

  it('shows the shortcuts with ?, and ignores other shortcuts while the help is open', async () => {
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Go to API keys').waitFor();
    await expect(sheet.getByText('Go to People').count()).resolves.toBe(0);
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await untilLoaded(page, /Welcome/);
  });

  it('offers to skip the navigation with the first Tab', async () => {
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.keyboard.press('Tab');
    await expect(page.evaluate('document.activeElement.textContent')).resolves.toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
  });
});

describe('the theme', () => {
  const background = 'getComputedStyle(document.documentElement).backgroundColor';

  it('follows the system until one is chosen; the choice is remembered and applied before the first paint', async () => {
    const { context, page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await expect(page.evaluate(background)).resolves.toBe('rgb(255, 255, 255)');
    await page.getByRole('button', { name: /Acme viewer/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const dark = await page.evaluate(background);
    expect(dark).not.toBe('rgb(255, 255, 255)');

    // The app's own script is blocked, so this is what the page paints without it.
    await page.route('**/assets/*.js', () => undefined);
    await page.goto('/', { waitUntil: 'commit' });
    await expect.poll(() => page.evaluate(background)).toBe(dark);
    await page.unroute('**/assets/*.js');
    const another = await context.newPage();
    await another.goto('/sign-in');
    await untilLoaded(another, 'Sign in');
    await expect(another.evaluate(background)).resolves.toBe(dark);
  });
});

describe('a phone', () => {
  it('has a menu that closes after navigation', async () => {
    const { page } = await newPerson(service.url, { as: acme.owner, phone: true });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'API keys', exact: true }).click();
    await untilLoaded(page, 'API keys');
    await menu.waitFor({ state: 'detached' });
  });
});

describe('an unknown address', () => {
  it('returns status 404 with a styled page and a link to Home', async () => {
    const { allow, page } = await newPerson(service.url, { as: acme.viewer });
    allow(/404: /);
    for (const path of ['/settings/nothing', '/dev/components', '/index.html', '/settings/people/x?y=1']) {
      const reply = await service.request('GET', path, { headers: { accept: 'text/html' } });
      expect(reply.status, path).toBe(404);
      expect(reply.headers.get('content-type'), path).toContain('html');
    }
    const response = await page.goto('/nowhere');
    expect(response!.status()).toBe(404);
    await untilLoaded(page, 'Page not found');
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await untilLoaded(page, /Welcome/);
  });

  it('returns JSON for scripts, files and endpoints', async () => {
    for (const path of ['/assets/gone.js', '/api/v2/nothing']) {
      const reply = await service.request('GET', path, { headers: { accept: 'text/html' } });
      expect(reply.status, path).toBe(404);
      expect(reply.headers.get('content-type'), path).toContain('json');
    }
  });
});

it('back and forward move through the history', async () => {
  const { page } = await newPerson(service.url, { as: acme.owner });
  await page.goto('/');
  await untilLoaded(page, /Welcome/);
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await untilLoaded(page, 'API keys');
  expect(await page.title()).toBe('API keys · Countersign');
  await page.getByRole('link', { name: 'Account' }).click();
  await untilLoaded(page, 'Account');
  await page.goBack();
  await untilLoaded(page, 'API keys');
  await page.goBack();
  await untilLoaded(page, /Welcome/);
  await page.goForward();
  await untilLoaded(page, 'API keys');
});
