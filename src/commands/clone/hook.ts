/** `countersign hook pre-receive`: on a git server, refuses pushes to branches with a merge rule that no merge in Countersign made. */
import { text } from 'node:stream/consumers';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { type Call, type Command, textOption } from '../command.ts';
import { printable } from '../terminal/printable.ts';
import { callTool, findService, KEY_NOTE, URL_OPTION } from './call-service.ts';

const DEFAULT_SECONDS = 10;
const MAX_SECONDS = 60;
const BRANCH = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) ([0-9a-f]{40}(?:[0-9a-f]{24})?) refs\/heads\/(.+)$/;
const POLICIES = ['refuse', 'accept'] as const;

interface Checked {
  refused: { branch: string; pattern: string }[];
}

export const hookPreReceive: Command = {
  name: 'hook pre-receive',
  summary: 'Refuse pushes that go around merge rules, as a hook of a git server',
  detail: `Reads what git gives a pre-receive hook on standard input. Branches without a merge rule, and tags, are left alone.\n${KEY_NOTE}`,
  options: [
    { name: 'repository', value: 'name', required: true, meaning: 'Its name in Countersign.' },
    {
      name: 'on-failure',
      value: 'policy',
      meaning: 'refuse or accept the push when the service can’t be asked (default: refuse).',
    },
    {
      name: 'timeout',
      value: 'seconds',
      meaning: `How long to wait for the service (default ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}).`,
    },
    URL_OPTION,
  ],
  example: 'countersign hook pre-receive --repository acme/api --on-failure refuse',
  quiet: true,
  async run(call) {
    const policy = policyOf(call);
    const withinMs = secondsOf(call) * 1000;
    const lines = (await text(process.stdin)).split('\n');
    const updates = lines.flatMap((line) => {
      const [, from, to, branch] = BRANCH.exec(line) ?? [];
      return from && to && branch ? [{ branch, from, to }] : [];
    });
    if (updates.length === 0) return;
    const input = { repository: textOption(call, 'repository'), updates };
    let refused: Checked['refused'];
    try {
      ({ refused } = await callTool<Checked>(await findService(call), 'check_push', input, withinMs));
    } catch (error) {
      const why = printable((error as Error).message);
      if (policy === 'refuse')
        throw new StartFailure('refused', `the push is refused, because it can't be checked: ${why}`, error);
      process.stderr.write(`Countersign could not check this push, which is accepted: ${why}\n`);
      return;
    }
    if (refused.length === 0) return;
    const names = refused.map(({ branch, pattern }) => `${branch} (rule ${pattern})`).join(', ');
    throw new StartFailure(
      'refused',
      printable(
        `only a merge in Countersign may move ${names}. Push another branch and open a pull request.`,
      ),
    );
  },
};

function policyOf(call: Call): (typeof POLICIES)[number] {
  const given = textOption(call, 'on-failure') || 'refuse';
  const policy = POLICIES.find((each) => each === given);
  if (!policy) throw new StartFailure('usage', '--on-failure must be refuse or accept');
  return policy;
}

function secondsOf(call: Call): number {
  const seconds = Number(textOption(call, 'timeout') || DEFAULT_SECONDS);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_SECONDS)
    throw new StartFailure('usage', `--timeout must be a number of seconds from 1 to ${MAX_SECONDS}`);
  return seconds;
}
