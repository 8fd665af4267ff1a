/** npm packages that added code imports but no manifest declares, or that only developers of the package install. */
import { builtinModules } from 'node:module';
import type { Check, Found } from '../../check.ts';
import { fileClassOf } from '../../code/file-class.ts';
import { addedLines, type Change, type Line, type ReviewedFile } from '../../code/read-change.ts';
import { isScript } from '../../code/resolve-module.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';
import { findLocks, readDependencies } from './dependencies.ts';

/** A package with an optional scope; aliases, addresses and files of a bundler look different. */
const PACKAGE = /^(@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*|[a-z0-9][\w.-]*)(\/[\w./-]*)?$/i;
const BUILT_IN = new Set(builtinModules.map((name) => name.split('/')[0]!));
/** Provided by the runtime. */
const PROVIDED = new Set([
  'vscode',
  'electron',
  'bun',
  'k6',
  'server-only',
  'client-only',
  'sketch',
  'photoshop',
]);
/** Scopes of modules that Docusaurus provides. */
const PROVIDED_SCOPE = /^@(theme|theme-original|theme-init|site|generated)\//;
/** Files in which a name can be mapped to something other than a package. */
const SETTINGS =
  /(^|\/)((package|[jt]sconfig[\w.-]*|deno|jsr|import[-_]?map|components|\.babelrc|\.swcrc)\.jsonc?|pnpm-workspace\.yaml|[\w.-]*config[\w.-]*\.[cm]?[jt]s|[\w.-]+\.d\.ts|BUILD(\.bazel)?|importmap\.rb)$/;
/** Files that list packages, with what other packages need. */
const LISTING = /(^|\/)(package\.json$|\.pnp\.|\.yarn\/)|\.lock$/;
const MAX_PACKAGES = 100;

interface Imported {
  file: ReviewedFile;
  line: Line;
  name: string;
}

export const undeclaredImports: Check = {
  name: 'undeclared_import',
  reviewer: 'dependency_risk',
  looksFor: 'imports of undeclared (transitive) npm packages',
  async run(change, code) {
    const imported = await listImported(change, code);
    if (imported.length === 0) return [];
    const names = [...new Set(imported.map(({ name }) => name))];
    const [before, now, aliases, files] = [
      await code.find('base', names, { wholeWords: true }),
      await code.find('head', names, { wholeWords: true }),
      await code.find('head', names.flatMap(aliasesOf), { wholeWords: false }),
      await code.listFiles('head'),
    ];
    if (before.truncated || now.truncated || aliases.truncated) return [];
    const settings = [...now.lines, ...aliases.lines].flatMap(({ path, text }) =>
      SETTINGS.test(path) ? [text] : [],
    );
    // Something else explains the name: it was imported before, a setting maps it, or a folder has it.
    const quoted = (text: string, name: string) =>
      new RegExp(`["'\`]${inPattern(name)}(/|["'\`*])`).test(text);
    const known = names.filter(
      (name) =>
        before.lines.some(({ path, text }) => !isListing(path) && quoted(text, name)) ||
        settings.some(
          (text) => isWordOf(text, name) || aliasesOf(name).some((each) => text.includes(each)),
        ) ||
        files.some(
          (path) =>
            `/${path}`.includes(`/${name}/`) || new RegExp(`(^|/)${inPattern(name)}\\.\\w+$`).test(path),
        ),
    );
    const results: Found[] = [];
    for (const { file, line, name } of imported) {
      if (known.includes(name)) continue;
      const manifest = await nearestManifest(code, file.path);
      if (!manifest) continue;
      // If no package installs it either, a bundler or a framework provides it.
      const lock = (await findLocks(code, manifest.path)).find(({ text }) => isLocked(text, name));
      if (!lock) continue;
      results.push({
        claim: 'dependency',
        subject: name,
        title: `${name} is imported but not declared`,
        scenario: `${file.path} imports ${name}, which neither ${manifest.path} nor a manifest above it declares. It is in ${lock.path} only because another package needs it: the import fails as soon as that one no longer does, or installs it elsewhere.`,
        ...{ file: file.path, side: 'head', line: line.number, quote: line.text, evidence: [] },
        command: `git grep -nF -e ${shellWord(`"${name}"`)} ${change.head.slice(0, 12)} -- '*package.json'`,
      });
    }
    return results;
  },
};

export const developmentImports: Check = {
  name: 'development_dependency_import',
  reviewer: 'dependency_risk',
  looksFor: 'published code that imports packages from devDependencies',
  // A build may bundle the package; no check can tell.
  isOffByDefault: true,
  async run(change, code) {
    const results: Found[] = [];
    for (const { file, line, name } of await listImported(change, code)) {
      const manifest = await nearestManifest(code, file.path);
      if (!manifest || manifest.isPrivate || /^\s*import\s+type\b/.test(line.text)) continue;
      const declared = manifest.dependencies.get(name);
      if (!declared?.isDevelopment) continue;
      results.push({
        claim: 'dependency',
        subject: name,
        title: `${name} is only a development dependency`,
        scenario: `${file.path} imports ${name}, which ${manifest.path} lists under devDependencies: it isn't installed with the published package.`,
        ...{ file: file.path, side: 'head', line: line.number, quote: line.text, evidence: [] },
      });
    }
    return results;
  },
};

async function listImported(change: Change, code: ReviewCode): Promise<Imported[]> {
  const found: Imported[] = [];
  for (const file of change.files) {
    if (file.fileClass !== 'code' || file.change === 'deleted') continue;
    const added = new Map(addedLines(file).map((line) => [line.number, line] as const));
    if (added.size === 0) continue;
    const facts = await code.symbols('head', file.path);
    if (!facts || facts.isGenerated || !isScript(facts.language)) continue;
    // Configuration and scripts run only on developers' machines.
    if (/config|(^|\/)(scripts?|tools?|templates?|stories|\.[^/]+)\/|\.stories\./.test(file.path)) continue;
    for (const { line, module } of facts.imports) {
      const name = PACKAGE.exec(module)?.[1];
      const at = added.get(line);
      if (!name || !at || BUILT_IN.has(name) || PROVIDED.has(name) || PROVIDED_SCOPE.test(name)) continue;
      found.push({ file, line: at, name });
      if (found.length === MAX_PACKAGES) return found;
    }
  }
  return found;
}

function isListing(path: string): boolean {
  return fileClassOf(path) === 'lock' || LISTING.test(path);
}

/** `ms` is not a word of `params`. */
function isWordOf(text: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${inPattern(name)}(?!\\w)`).test(text);
}

/** As a package, in the lock file of npm, Yarn or pnpm. */
function isLocked(lock: string, name: string): boolean {
  // `@acme/text` is not `text`.
  return new RegExp(`(?:^|[\\s"']|(?<!@[\\w.-]*)/)${inPattern(name)}(?:@[^\\s/]|":)`, 'm').test(lock);
}

async function nearestManifest(code: ReviewCode, path: string) {
  const parts = path.split('/').slice(0, -1);
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const manifest = [...parts.slice(0, depth), 'package.json'].join('/');
    const text = await code.read('head', manifest);
    const dependencies = readDependencies(text);
    if (dependencies && dependencies.size > 0)
      return { path: manifest, dependencies, isPrivate: /"private"\s*:\s*true/.test(text ?? '') };
  }
  return undefined;
}

/** How settings write a whole scope. */
function aliasesOf(name: string): string[] {
  const scope = name.startsWith('@') ? name.split('/')[0]! : undefined;
  return scope ? [`${scope}/*`, `"${scope}"`, `'${scope}'`, `${scope}/(`, `${scope}/$`] : [];
}

function inPattern(text: string): string {
  return text.replaceAll(/[^\w]/g, '\\$&');
}
