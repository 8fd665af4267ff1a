/** `countersign host`: connects code hosts from the command line. */
import { readFile } from 'node:fs/promises';
import { operatorOf } from '../../features/audit/index.ts';
import {
  createCodeHost,
  createCodeHosts,
  HostKind,
  presentCodeHosts,
  removeCodeHost,
  selectShownHosts,
  systemEnvironment,
} from '../../features/code-hosts/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { acceptServerUrl } from '../../platform/core/network/server-url.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { openSecrets } from '../../platform/secrets/index.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printRows } from '../terminal/print-table.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { readSecret } from '../terminal/read-password.ts';
import { checkedOption, findOrganization, ORGANIZATION_OPTION } from './check-option.ts';

export const hostAdd: Command = {
  name: 'host add',
  summary: 'Connect a code host with a token',
  detail:
    'The token is tried before it is stored. Then choose repositories under Settings → Code hosts.\nFor a host on a private network, set ALLOW_PRIVATE_ADDRESSES.',
  options: [
    { name: 'kind', value: 'kind', required: true, meaning: 'github, gitlab, or gitea (also for Forgejo).' },
    {
      name: 'url',
      value: 'url',
      required: true,
      meaning: 'What you open in a browser, such as https://github.com.',
    },
    { name: 'name', value: 'name', meaning: 'A name for it (default: the host name).' },
    { name: 'token-file', value: 'file', meaning: 'Read the access token from a file.' },
    { name: 'token-stdin', meaning: 'Read the access token from standard input (default).' },
    ORGANIZATION_OPTION,
    JSON_OPTION,
  ],
  example: 'countersign host add --kind gitea --url https://git.example.com --token-file token.txt',
  quiet: true,
  async run(call) {
    const { config } = call;
    const kind = checkedOption(call, 'kind', HostKind);
    const url = await acceptServerUrl(textOption(call, 'url'), config.allowPrivateAddresses);
    const token = await readToken(call);
    const name = call.options.name === undefined ? null : textOption(call, 'name');
    const shown = await withDatabase(call, async (db) => {
      const organization = await findOrganization(db, call);
      const secrets = await openSecrets({ db, file: config.secretFile });
      const services = {
        db,
        secrets,
        codeHosts: createCodeHosts(systemEnvironment(config.allowPrivateAddresses)),
      };
      const wanted = { kind, url, name, credential: { kind: 'token' as const, token } };
      const id = await createCodeHost(services, wanted, operatorOf(organization.id, systemClock.now()));
      return (await readHosts(call, db, organization.id)).find((host) => host.id === id)!;
    });
    if (call.options.json) return print(printableJson(shown));
    print(`Connected ${printable(shown.name)} as ${printable(shown.account ?? '')}.`);
    for (const { fix, message, state } of shown.checks) {
      if (state !== 'ok') print(`${printable(message)}${fix === null ? '' : ` ${printable(fix)}`}`);
    }
  },
};

export const hostList: Command = {
  name: 'host list',
  summary: 'List the connected code hosts',
  options: [ORGANIZATION_OPTION, JSON_OPTION],
  example: 'countersign host list',
  quiet: true,
  async run(call) {
    const hosts = await withDatabase(call, async (db) =>
      readHosts(call, db, (await findOrganization(db, call)).id),
    );
    if (call.options.json) return print(printableJson(hosts));
    printRows(
      hosts.map((host) => ({
        name: host.name,
        kind: host.kind,
        state: host.state,
        account: host.account,
        repositories: String(host.repositoryCount),
        url: host.url,
      })),
      { json: false, empty: 'No code hosts. To connect one: countersign host add' },
    );
  },
};

export const hostRemove: Command = {
  name: 'host remove',
  summary: 'Disconnect a code host',
  detail:
    'Repositories, pull requests and discussions stay. Nothing more is read from the host or sent there.',
  options: [
    { name: 'name', value: 'name', required: true, meaning: 'The name or URL of the code host.' },
    ORGANIZATION_OPTION,
  ],
  positional: 'name',
  example: 'countersign host remove git.example.com',
  quiet: true,
  async run(call) {
    const removed = await withDatabase(call, async (db) => {
      const { id: organizationId } = await findOrganization(db, call);
      const wanted = textOption(call, 'name');
      const found = (await readHosts(call, db, organizationId)).filter(
        ({ id, name, url }) => [id, name, url].includes(wanted) || url === wanted.replace(/\/+$/, ''),
      );
      const [host, another] = found;
      if (!host) {
        throw new StartFailure(
          'refused',
          `no code host named ${printable(wanted)}. To list code hosts: countersign host list`,
        );
      }
      if (another) {
        const ids = found.map(({ id }) => `\n  ${id}`).join('');
        throw new StartFailure('refused', `several code hosts have this name. Use an ID:${ids}`);
      }
      return removeCodeHost(db, host.id, operatorOf(organizationId, systemClock.now()));
    });
    print(`Disconnected ${printable(removed.name)}. Repositories that stay: ${removed.repositoryCount}.`);
  },
};

async function readHosts({ config }: Call, db: Db, organizationId: string) {
  const rows = await selectShownHosts(db, organizationId);
  return presentCodeHosts({ db, baseUrl: config.baseUrl, clock: systemClock }, rows);
}

/** Never from an option's value, which other processes could read. */
async function readToken(call: Call): Promise<string> {
  const file = call.options['token-file'];
  if (file !== undefined && call.options['token-stdin']) {
    throw new StartFailure('usage', 'host add: use either --token-file or --token-stdin, not both');
  }
  if (file === undefined) return readSecret('Access token', call.stopped);
  const path = textOption(call, 'token-file');
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new StartFailure('refused', `cannot read the token file ${path}: ${error.message}`, error);
  });
  const token = text.trim();
  if (token === '') throw new StartFailure('refused', `the token file ${path} is empty`);
  return token;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
