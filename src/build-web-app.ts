/** Builds the web app of a checkout when it is missing or older than its sources; an installed package brings it built. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'web');
const CONFIG = join(SOURCES, 'vite.config.ts');
export const WEB_APP_FOLDER = join(SOURCES, 'dist');
const FINGERPRINT = 'fingerprint';

/** Reports what it does, or nothing if the build is up to date, there are no sources, or it was cancelled. */
export async function buildWebApp(report: (line: string) => void, cancelled?: AbortSignal): Promise<void> {
  if (!existsSync(CONFIG) || !existsSync(join(ROOT, 'src'))) return;
  const wanted = fingerprintOf(sourceFiles());
  if (readFingerprint() === wanted) return;
  const vite = findVite();
  if (!vite) {
    report('The web app is not built, because the tools for it are not installed. Run: npm ci');
    return;
  }
  report('Building the web app …');
  const started = performance.now();
  const fresh = `${WEB_APP_FOLDER}.${process.pid}`;
  try {
    const failure = await runVite(vite, fresh, cancelled);
    if (cancelled?.aborted) return;
    if (failure) {
      report(`The web app could not be built:\n${failure}`);
      return;
    }
    writeFileSync(join(fresh, FINGERPRINT), wanted);
    rmSync(WEB_APP_FOLDER, { recursive: true, force: true });
    renameSync(fresh, WEB_APP_FOLDER);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  report(`The web app was built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

/** Everything that the result depends on: the app, the contracts and the text engine it uses, and the versions of its packages. */
function sourceFiles(): string[] {
  const inFolder = (folder: string, wanted: (name: string) => boolean) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && wanted(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
  return [
    ...inFolder(SOURCES, () => true).filter((file) => !file.startsWith(WEB_APP_FOLDER)),
    ...inFolder(join(ROOT, 'src'), (name) => name === 'contract.ts'),
    ...inFolder(join(ROOT, 'src', 'engines', 'text'), (name) => !name.endsWith('.test.ts')),
    join(ROOT, 'package-lock.json'),
  ].sort();
}

function fingerprintOf(files: string[]): string {
  const hash = createHash('sha256');
  for (const file of files)
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function readFingerprint(): string | undefined {
  const file = join(WEB_APP_FOLDER, FINGERPRINT);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function findVite(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
  } catch {
    return undefined;
  }
}

/** In a separate process, so that its memory is freed. Returns the output if it failed. */
function runVite(vite: string, outDir: string, signal?: AbortSignal): Promise<string | undefined> {
  const given = [vite, 'build', '--config', CONFIG, '--outDir', outDir, '--logLevel', 'warn'];
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'pipe'], signal });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return new Promise((resolve) => {
    let problem: string | undefined;
    child.on('error', (error) => {
      problem = error.message;
    });
    child.on('close', (code) =>
      resolve(code === 0 ? undefined : problem || said.trim() || `exit code ${code}`),
    );
  });
}
