/** Where rules match in given files, as a preview before they are saved: within narrow limits. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../git/index.ts';
import { isSafe } from './rule-checks.ts';
import { findAstGrep, type RuleMatch, runAstGrep } from './run-ast-grep.ts';

/** `not_installed`: the optional package is missing on this machine. */
export async function matchRules(
  files: readonly { path: string; text: string }[],
  rules: string,
  signal: AbortSignal,
): Promise<RuleMatch[] | 'not_installed'> {
  const program = findAstGrep();
  if (!program) return 'not_installed';
  const root = await makeTemporaryFolder('preview');
  try {
    const folder = join(root, 'files');
    await mkdir(join(root, 'rules'));
    await mkdir(folder);
    await writeFile(join(root, 'rules', 'rules.yml'), rules);
    for (const { path, text } of files) {
      if (!isSafe(path)) continue;
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const config = `${randomUUID()}.yml`;
    await writeFile(join(folder, config), 'ruleDirs: [../rules]\n');
    return await runAstGrep({ program, folder, config, signal });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
