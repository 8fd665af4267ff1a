/** Finds a Chromium on this machine, or installs one: Debian's package for root on Debian, else Playwright's download. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

/** What a browser of tests needs: nothing that it fetches or does by itself; root cannot have a sandbox. */
export const LAUNCH_ARGUMENTS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Else every window starts a process for menus that nobody sees.
  '--disable-features=PreloadTopChromeWebUI,Translate,MediaRouter,OptimizationHints',
];

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Chromium.app/Contents/MacOS',
  '/Applications/Google Chrome.app/Contents/MacOS',
];
const NAMES_OF_APPLICATIONS = ['chrome', 'Chromium', 'Google Chrome'];

/** The path of a Chromium that can be started; installs one when there is none, and fails with what to do about it. */
export function findBrowser(tell: (line: string) => void): string {
  const found = lookForBrowser();
  if (found) return found;
  const attempt = isDebianAsRoot() ? installFromDebian(tell) : downloadWithPlaywright(tell);
  const installed = lookForBrowser();
  if (installed) return installed;
  throw new Error(
    `There is no Chromium here and none could be installed (${attempt}). Install Chromium or Chrome, or give its path in CHROMIUM_PATH.`,
  );
}

function lookForBrowser(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (isProgram(given)) return given;
    throw new Error(`CHROMIUM_PATH is ${given}, but there is no program that can be run.`);
  }
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const usual = [...onPath, ...PLACES].flatMap((folder) =>
    [...NAMES, ...NAMES_OF_APPLICATIONS].map((name) => join(folder, name)),
  );
  return [chromium.executablePath(), ...usual].find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isDebianAsRoot(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
}

/** Gives what happened, for the sentence of a failure. */
function installFromDebian(tell: (line: string) => void): string {
  tell('There is no browser for the browser tests; installing the packages chromium and curl …');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const words of [
    ['update'],
    ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core', 'curl'],
  ]) {
    const { error, status, stderr } = spawnSync('apt-get', words, { encoding: 'utf8', env: environment });
    if (error || status !== 0) return `apt-get ${words[0]}: ${error?.message ?? lastLine(stderr)}`;
  }
  return 'apt-get installed no chromium';
}

function downloadWithPlaywright(tell: (line: string) => void): string {
  tell('There is no browser for the browser tests; downloading one with Playwright …');
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  const { error, status, stderr } = spawnSync(process.execPath, [cli, 'install', 'chromium'], {
    encoding: 'utf8',
  });
  if (error || status !== 0) return `playwright-core install chromium: ${error?.message ?? lastLine(stderr)}`;
  return 'playwright-core installed no browser';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? 'it failed without a word';
}
