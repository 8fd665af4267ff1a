/** GitHub workflows that let strangers run code with the repository's secrets. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import type { Check, Found } from '../check.ts';
import { addedLines, type Line, type ReviewedFile } from '../code/read-change.ts';

/** Text written by the author of an issue or pull request. */
const UNTRUSTED =
  /\$\{\{[^{}]*\bgithub\.(head_ref|event\.(issue|pull_request|comment|review|review_comment|discussion|head_commit|workflow_run)\.(title|body|message|head\.(ref|label|repo\.default_branch)|head_branch|author\.(name|email)|user\.login))\b[^{}]*\}\}/;
/** True or false, whatever the text is. */
const ANSWER = /\b(contains|startsWith|endsWith)\([^()]*\)/g;
const HEAD_OF_PULL_REQUEST =
  /github\.event\.pull_request\.head\.(sha|ref)|github\.head_ref|github\.event\.workflow_run\.head_(sha|branch)|refs\/pull\//;
const BRANCH_REF = /^([\w.-]+)\/[\w./-]+@(main|master|develop|dev|trunk|latest|HEAD)$/;
/** Kept by the host itself. */
const HOST_OWNERS = new Set(['actions', 'github']);
const MAX_CHARACTERS = 256 * 1024;
/** Longer lines are no scripts that a person wrote. */
const MAX_LINE_CHARACTERS = 4000;

interface Step {
  run: { text: string; line: number } | null;
  uses: { text: string; line: number } | null;
  ref: { text: string; line: number } | null;
}

export const workflowRules: Check = {
  name: 'unsafe_workflow',
  reviewer: 'security',
  looksFor: 'workflows that run untrusted code with access to secrets',
  // Less than half of what it found in merged changes of unseen repositories was worth saying.
  isOffByDefault: true,
  async run(change, code) {
    const found: Found[] = [];
    for (const file of change.files) {
      if (!/^\.github\/workflows\/[^/]+\.ya?ml$/.test(file.path) || file.change === 'deleted') continue;
      const text = await code.read('head', file.path);
      if (text === null || text.length > MAX_CHARACTERS) continue;
      found.push(...checkWorkflow(file, text));
    }
    // An action that came from a branch before isn't new, wherever its line is now and whatever the branch is called.
    const actions = found
      .filter(({ subject }) => subject.includes('@'))
      .map(({ subject }) => nameOf(subject));
    if (actions.length === 0) return found;
    const { lines } = await code.find('base', [...new Set(actions)], { wholeWords: false });
    const before = new Set(
      lines
        .filter(({ path }) => path.startsWith('.github/'))
        .flatMap(({ text }) => text.split(/[\s"']+/).filter((word) => BRANCH_REF.test(word)))
        .map(nameOf),
    );
    return found.filter(({ subject }) => !before.has(nameOf(subject)));
  },
};

/** Drops the version of an action. */
const nameOf = (action: string) => action.split('@')[0]!;

function checkWorkflow(file: ReviewedFile, text: string): Found[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, logLevel: 'silent', uniqueKeys: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return [];
  const lineAt = (offset: number | undefined) => lineCounter.linePos(offset ?? 0).line;
  const added = new Map(addedLines(file).map((line) => [line.number, line] as const));
  const isPrivileged = /\b(pull_request_target|workflow_run)\b/.test(
    String(document.contents.get('on', true) ?? ''),
  );
  const allLines = text.split('\n');
  const found: Found[] = [];
  const add = (line: Line | undefined, subject: string, title: string, scenario: string) => {
    if (!line) return;
    found.push({
      ...{ claim: 'rule', subject, title, scenario, file: file.path, side: 'head', evidence: [] },
      ...{ line: line.number, quote: line.text },
    });
  };
  for (const step of stepsOf(document.contents, lineAt)) {
    if (step.run) {
      const lines = allLines.slice(step.run.line - 1, step.run.line + step.run.text.split('\n').length);
      for (const [index, each] of lines.entries()) {
        const expression =
          each.length > MAX_LINE_CHARACTERS ? undefined : UNTRUSTED.exec(each.replaceAll(ANSWER, ''))?.[0];
        if (!expression) continue;
        add(
          added.get(step.run.line + index),
          'script injection',
          'Untrusted text runs as a shell command',
          `${expression} is replaced before the shell starts, so a title or branch name such as \`"; curl …\` runs with this workflow's permissions. Pass it through \`env\` and quote the variable.`,
        );
      }
    }
    if (
      isPrivileged &&
      step.ref &&
      step.uses?.text.startsWith('actions/checkout@') &&
      HEAD_OF_PULL_REQUEST.test(step.ref.text)
    ) {
      add(
        added.get(step.ref.line) ?? added.get(step.uses.line),
        'checkout of a pull request with secrets',
        'Code of a pull request is checked out with secrets',
        'The workflow runs on pull_request_target or workflow_run, with write access and secrets, and checks out the code of the pull request’s author: a build script there can read them.',
      );
    }
    const unpinned = BRANCH_REF.exec(step.uses?.text ?? '');
    if (unpinned && !HOST_OWNERS.has(unpinned[1]!)) {
      add(
        added.get(step.uses!.line),
        step.uses!.text,
        `Action from a branch: ${step.uses!.text}`,
        `Anyone who can push to ${unpinned[2]} of ${step.uses!.text.split('@')[0]} can change what this workflow runs. Pin it to a commit.`,
      );
    }
  }
  return found;
}

function stepsOf(root: YAMLMap, lineAt: (offset: number | undefined) => number): Step[] {
  const jobs = root.get('jobs');
  if (!isMap(jobs)) return [];
  return jobs.items.flatMap(({ value: job }) => {
    const steps = isMap(job) ? job.get('steps') : undefined;
    if (!isSeq(steps)) return [];
    return steps.items.flatMap((step) => {
      if (!isMap(step)) return [];
      const textOf = (map: YAMLMap, key: string) => {
        const value = map.get(key, true);
        return isScalar(value) && typeof value.value === 'string'
          ? { text: value.value, line: lineAt(value.range?.[0]) }
          : null;
      };
      const given = step.get('with');
      return [
        {
          run: textOf(step, 'run'),
          uses: textOf(step, 'uses'),
          ref: isMap(given) ? textOf(given, 'ref') : null,
        },
      ];
    });
  });
}
