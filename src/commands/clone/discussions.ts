/** `countersign discussions`: the review discussions of a branch, over MCP with a key. */
import { cloneAt } from '../../engines/git/index.ts';
import { EXIT_CODES, StartFailure } from '../../platform/core/errors/start-failure.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { callTool, findService, KEY_NOTE, URL_OPTION } from './call-service.ts';

/** Per page of the reply; the service limits it too. */
const TOKENS = 20_000;
const MAX_PAGES = 100;

interface Page {
  pullRequest?: { number: number; title: string; state: string; url: string };
  openDiscussions: number;
  nextCursor?: string;
  discussions: {
    discussionId: string;
    status: string;
    file: string;
    startLine: number;
    endLine: number;
    comments: { author: string; body: string }[];
  }[];
}

export const discussions: Command = {
  name: 'discussions',
  summary: "List the review discussions of a branch's newest pull request",
  detail: `Exits with ${EXIT_CODES.pending.code} if some are open.\n${KEY_NOTE}`,
  options: [
    { name: 'branch', value: 'name', meaning: 'The branch (default: the current one).' },
    {
      name: 'repository',
      value: 'name',
      meaning: "The repository (default: the name of this clone's origin, else of its folder).",
    },
    { name: 'all', meaning: 'Include addressed and resolved ones.' },
    URL_OPTION,
    JSON_OPTION,
  ],
  example: 'countersign discussions --branch feature',
  quiet: true,
  async run(call) {
    const place = await findService(call);
    const input = { ...(await branchOf(call)), status: call.options.all ? 'all' : 'open', maxTokens: TOKENS };
    const pages: Page[] = [];
    for (let cursor: string | undefined; pages.length < MAX_PAGES; ) {
      const page = await callTool<Page>(place, 'get_branch_discussions', {
        ...input,
        ...(cursor && { cursor }),
      });
      pages.push(page);
      cursor = page.nextCursor;
      if (!cursor) break;
    }
    const { openDiscussions, pullRequest } = pages[0]!;
    const found = pages.flatMap((page) => page.discussions);
    if (call.options.json) print(printableJson({ pullRequest, openDiscussions, discussions: found }));
    else show(pullRequest, found);
    if (openDiscussions > 0) call.setExitCode(EXIT_CODES.pending.code);
  },
};

async function branchOf(call: Call): Promise<{ repository: string; branch: string }> {
  const clone = await cloneAt(process.cwd(), call.stopped);
  const repository = textOption(call, 'repository') || clone?.name;
  const branch = textOption(call, 'branch') || clone?.branch;
  if (!repository)
    throw new StartFailure(
      'usage',
      'name the repository with --repository: this folder is not inside a git repository',
    );
  if (!branch)
    throw new StartFailure('usage', 'name the branch with --branch: no branch is checked out here');
  return { repository, branch };
}

function show(pullRequest: Page['pullRequest'], found: Page['discussions']): void {
  if (!pullRequest) {
    print('The branch has no pull request.');
    return;
  }
  print(printable(`#${pullRequest.number} ${pullRequest.title} (${pullRequest.state})`));
  print(printable(pullRequest.url));
  if (found.length === 0) print('No open discussions.');
  for (const { comments, endLine, file, startLine, status } of found) {
    const lines = endLine === 0 ? '' : startLine === endLine ? `:${endLine}` : `:${startLine}-${endLine}`;
    print(`\n${printable(file)}${lines}  ${status}`);
    for (const { author, body } of comments)
      for (const [index, line] of body.split('\n').entries())
        print(`  ${index === 0 ? `${printable(author)}: ` : '  '}${printable(line)}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
