/** POST /api/v2/reviewers/preview-matches: where rules match in a repository now, while they are written. */

import { parseAllDocuments } from 'yaml';
import { callOf, defineOperation } from '../../../context.ts';
import { FINDING_LIMITS } from '../../../engines/review/contract/finding-limits.ts';
import { maskTexts, matchPaths, matchRules } from '../../../engines/review/index.ts';
import { joinGlobs } from '../../../engines/search/index.ts';
import { invalidRequest, notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { selectRepositoriesById } from '../../repositories/index.ts';
import { LIMITS, PreviewedMatches, PreviewRuleMatchesInput } from '../contract.ts';
import { ruleErrors } from './accept-content.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_LISTED_FILES = 20_000;
const MAX_SCAN_MS = 10_000;

/** File extensions of languages whose name is different. */
const ENDS: Record<string, string[]> = {
  bash: ['sh', 'bash'],
  'c++': ['cc', 'cpp', 'cxx', 'h', 'hpp'],
  csharp: ['cs'],
  elixir: ['ex', 'exs'],
  golang: ['go'],
  haskell: ['hs'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  kotlin: ['kt', 'kts'],
  python: ['py', 'pyi'],
  ruby: ['rb'],
  rust: ['rs'],
  solidity: ['sol'],
  typescript: ['ts', 'mts', 'cts'],
  yaml: ['yml', 'yaml'],
};
const SAME: Record<string, string> = {
  ...{ cc: 'c++', cpp: 'c++', cxx: 'c++', cs: 'csharp', ex: 'elixir', go: 'golang', hs: 'haskell' },
  ...{ js: 'javascript', jsx: 'javascript', kt: 'kotlin', py: 'python', rb: 'ruby', rs: 'rust' },
  ...{ sol: 'solidity', ts: 'typescript', yml: 'yaml' },
};

export const previewRuleMatches = defineOperation({
  name: 'preview-rule-matches',
  group: 'Reviewers',
  summary: 'Preview where rules match',
  description: `On the default branch, in the first ${LIMITS.scannedFiles} files of the rules' languages. Changes nothing.`,
  http: { method: 'POST', path: '/api/v2/reviewers/preview-matches', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: PreviewRuleMatchesInput,
  output: PreviewedMatches,
  problems: ['not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { paths, repositoryId, rules }) {
    const call = callOf(context);
    const [repository] = await selectRepositoriesById(context.db, context.actor, [repositoryId]);
    if (!repository) throw notFound('The repository');
    const { head_commit: commit } = repository;
    if (commit === null) {
      const options = { retryAfterSeconds: 5 };
      throw new Problem('repository_not_ready', 'This repository is still being fetched.', options);
    }
    const errors = await ruleErrors(rules, 'rules');
    if (errors.length > 0) throw invalidRequest(errors);
    const query = { commit, glob: joinGlobs(endsOf(rules)), limit: MAX_LISTED_FILES };
    const found = await context.code.read('findFiles', repositoryId, query, call);
    if ('kind' in found) throw invalidRequest([{ path: 'paths', message: found.message }]);
    const inScope = paths.length === 0 ? found.items : found.items.filter(matchPaths(paths));
    const scanned = inScope.slice(0, LIMITS.scannedFiles);
    const texts = await context.code.readTexts(
      repositoryId,
      { files: scanned.map((path) => ({ commit, path })), maxBytes: MAX_BYTES },
      call,
    );
    const files = texts.flatMap((text, index) =>
      text.kind === 'text' ? [{ path: scanned[index]!, text: text.text }] : [],
    );
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(MAX_SCAN_MS)]);
    const matches = await matchRules(files, rules, signal).catch((error: unknown) => {
      call.signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : 'ast-grep stopped unexpectedly.';
      throw new Problem('unavailable', `There is no preview: ${reason}`);
    });
    if (matches === 'not_installed')
      throw new Problem('unavailable', 'There is no preview: ast-grep is not installed on the server.');
    const lines = new Map(files.map(({ path, text }) => [path, text.split('\n')]));
    const shown = matches.slice(0, LIMITS.previewedMatches);
    const quotes = await maskTexts(shown.map(({ line, path }) => (lines.get(path)?.[line - 1] ?? '').trim()));
    return {
      matches: shown.map(({ line, path, ruleId }, index) => ({
        ...{ path, line, ruleId },
        quote: quotes[index]!.slice(0, FINDING_LIMITS.quoteCharacters),
      })),
      total: matches.length,
      scannedFiles: files.length,
      moreFiles: Math.max(0, inScope.length - files.length),
    };
  },
});

/** Globs of the files that the rules can match in. */
function endsOf(rules: string): string[] {
  const documents = parseAllDocuments(rules);
  const languages = Array.isArray(documents)
    ? documents.map((each) => String(each.get('language') ?? '').toLowerCase())
    : [];
  const ends = languages.flatMap((name) => ENDS[SAME[name] ?? name] ?? [name]);
  return [...new Set(ends)].map((end) => `*.${end}`);
}
