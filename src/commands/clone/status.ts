/** `countersign status set`: says what a check found about a commit, over MCP with a key. */
import { cloneAt, runGit } from '../../engines/git/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { callTool, findService, KEY_NOTE, URL_OPTION } from './call-service.ts';

/** Here `--url` is the page with the details. */
const SERVICE = 'service';
const FULL_ID = /^[0-9a-f]{40}([0-9a-f]{24})?$/i;

interface Done {
  commit: string;
  state: string;
  pullRequestCount: number;
}

export const statusSet: Command = {
  name: 'status set',
  summary: 'Set a status of a commit, such as the result of a build',
  detail: `For repositories without a code host. The last one of a name counts; the same again changes nothing.\n${KEY_NOTE}`,
  options: [
    { name: 'name', value: 'name', required: true, meaning: 'What was checked, such as ci/test.' },
    { name: 'state', value: 'state', required: true, meaning: 'pending, success, failure or error.' },
    { name: 'commit', value: 'commit', meaning: 'The commit (default: the one checked out here).' },
    {
      name: 'repository',
      value: 'name',
      meaning: "The repository (default: the name of this clone's origin, else of its folder).",
    },
    { name: 'url', value: 'URL', meaning: 'A page with the details.' },
    { name: 'description', value: 'text', meaning: 'One line about the result.' },
    { ...URL_OPTION, name: SERVICE },
    JSON_OPTION,
  ],
  example: 'countersign status set --name ci/test --state success --url https://ci.example.com/runs/7',
  quiet: true,
  async run(call) {
    const place = await findService(call, SERVICE);
    const clone = await cloneAt(process.cwd(), call.stopped);
    const repository = textOption(call, 'repository') || clone?.name;
    if (!repository)
      throw new StartFailure(
        'usage',
        'name the repository with --repository: this folder is not inside a git repository',
      );
    const [url, description] = [textOption(call, 'url'), textOption(call, 'description')];
    const name = textOption(call, 'name');
    const done = await callTool<Done>(place, 'set_status', {
      ...{ repository, commit: await commitOf(call), name, state: textOption(call, 'state') },
      ...(url && { url }),
      ...(description && { description }),
    });
    if (call.options.json) {
      process.stdout.write(`${printableJson(done)}\n`);
      return;
    }
    process.stdout.write(
      `${printable(name)} is ${done.state} at ${done.commit.slice(0, 8)}${shownBy(done.pullRequestCount)}\n`,
    );
  },
};

function shownBy(count: number): string {
  if (count === 0)
    return '. It’s not the newest commit of an open pull request; one that gets it will show the status.';
  return `, the newest commit of ${count === 1 ? '1 open pull request' : `${count} open pull requests`}`;
}

/** The service takes full IDs only; a name or an abbreviation is looked up in this clone. */
async function commitOf(call: Call): Promise<string> {
  const given = textOption(call, 'commit');
  if (FULL_ID.test(given)) return given;
  try {
    const { stdout } = await runGit(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${given || 'HEAD'}^{commit}`],
      { cwd: process.cwd(), configuration: { 'safe.directory': '*' }, signal: call.stopped },
    );
    return stdout.toString('utf8').trim();
  } catch {
    call.stopped.throwIfAborted();
    throw new StartFailure(
      'usage',
      given
        ? `this clone has no commit ${printable(given)}: name the full commit ID with --commit`
        : 'name the commit with --commit: this folder is not inside a git repository',
    );
  }
}
