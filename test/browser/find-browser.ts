/** Finds a Chromium on this machine, or installs one: Debian's package for root on Debian, else Playwright's download. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

/** Arguments for test browsers: no background requests; root can't use the sandbox. */
export const LAUNCH_ARGUMENTS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Otherwise every window starts a process for menus that are never shown.
  '--disable-features=PreloadTopChromeWebUI,Translate,MediaRouter,OptimizationHints',
];

/** The same engine without windows and menus, which uses half the CPU time. */
const LIGHT = 'chromium-headless-shell';
const NAMES = [LIGHT, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Chromium.app/Contents/MacOS',
  '/Applications/Google Chrome.app/Contents/MacOS',
];
const NAMES_OF_APPLICATIONS = ['chrome', 'Chromium', 'Google Chrome'];

/** The path of a working Chromium; installs one if there is none, and fails with instructions. */
export function findBrowser(tell: (line: string) => void): string {
  const found = lookForBrowser();
  if (found && (process.env.CHROMIUM_PATH || basename(found) === LIGHT || !isDebianAsRoot())) return found;
  const attempt = isDebianAsRoot()
    ? installFromDebian(tell, found !== undefined)
    : downloadWithPlaywright(tell);
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
  const usual = [...NAMES, ...NAMES_OF_APPLICATIONS].flatMap((name) =>
    [...onPath, ...PLACES].map((folder) => join(folder, name)),
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

/** Returns what happened, for the error message. If there is a browser already, a lighter one isn't worth a long attempt. */
function installFromDebian(tell: (line: string) => void, hasBrowser: boolean): string {
  tell(`Installing the package ${LIGHT} for the browser tests …`);
  const install = (name: string) =>
    runAptGet(['install', '-y', '--no-install-recommends', name, 'fonts-dejavu-core', 'curl']);
  if (hasBrowser) return install(LIGHT) ?? 'it is there';
  const fault = runAptGet(['update']) ?? install(LIGHT);
  return (fault && install('chromium')) ?? 'apt-get installed no chromium';
}

/** Returns the error; undefined on success. */
function runAptGet(words: string[]): string | undefined {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { error, status, stderr } = spawnSync('apt-get', words, { encoding: 'utf8', env: environment });
  return error || status !== 0 ? `apt-get ${words[0]}: ${error?.message ?? lastLine(stderr)}` : undefined;
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
