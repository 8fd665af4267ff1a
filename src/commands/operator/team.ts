/** `countersign team`: teams of members from the command line. */
import { Email } from '../../features/accounts/index.ts';
import { operatorOf } from '../../features/audit/index.ts';
import {
  alterTeam,
  alterTeamMembers,
  CreateTeamInput,
  findTeamsByName,
  makeTeam,
  removeTeam,
  selectTeamPeople,
  selectTeams,
} from '../../features/teams/index.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printRows } from '../terminal/print-table.ts';
import { printable } from '../terminal/printable.ts';
import { checkedOption, findOrganization, findUser, ORGANIZATION_OPTION } from './check-option.ts';

const NAME_OPTION = { name: 'name', value: 'name', required: true, meaning: 'The name of the team.' };
const MEMBERS_OPTION = {
  name: 'members',
  value: 'addresses',
  required: true,
  meaning: 'Email addresses, separated by commas.',
};
const TeamName = CreateTeamInput.shape.name;
/** The operator is in no team. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export const teamList: Command = {
  name: 'team list',
  summary: 'List the teams of an organization',
  options: [ORGANIZATION_OPTION, JSON_OPTION],
  example: 'countersign team list',
  quiet: true,
  async run(call) {
    const rows = await withDatabase(call, async (db) => {
      const { id: organizationId } = await findOrganization(db, call);
      return selectTeams(db, { organizationId, userId: NOBODY });
    });
    printRows(
      rows.map((row) => ({
        name: row.name,
        members: String(row.count ?? 0),
        group: row.provider_group,
        createdAt: row.created_at.toISOString(),
      })),
      { json: call.options.json === true, empty: 'No teams. To create one: countersign team create' },
    );
  },
};

export const teamShow: Command = {
  name: 'team show',
  summary: 'Show the members of a team',
  options: [NAME_OPTION, ORGANIZATION_OPTION, JSON_OPTION],
  positional: 'name',
  example: 'countersign team show platform',
  quiet: true,
  async run(call) {
    const people = await withTeam(call, (db, { id, organizationId }) =>
      selectTeamPeople(db, { id, organizationId }),
    );
    printRows(
      people.map(({ active, email, name }) => ({ email, name, active: active ? 'yes' : 'no' })),
      { json: call.options.json === true, empty: 'It has no members.' },
    );
  },
};

export const teamCreate: Command = {
  name: 'team create',
  summary: 'Create a team of members, or of a group of single sign-on',
  options: [
    NAME_OPTION,
    {
      ...MEMBERS_OPTION,
      required: false,
      meaning: 'Its first members: email addresses, separated by commas.',
    },
    {
      name: 'group',
      value: 'group',
      meaning: 'A group of single sign-on: its people are the members, at each of their sign-ins.',
    },
    ORGANIZATION_OPTION,
  ],
  positional: 'name',
  example: 'countersign team create platform --members ada@example.com,grace@example.com',
  quiet: true,
  async run(call) {
    const name = checkedOption(call, 'name', TeamName);
    const { group: given, members } = call.options;
    if (given !== undefined && members !== undefined)
      throw new StartFailure(
        'usage',
        '--members can’t be given with --group: the members come from the group',
      );
    const group =
      given === undefined ? null : checkedOption(call, 'group', CreateTeamInput.shape.group.unwrap());
    await withDatabase(call, async (db) => {
      const { id: organizationId } = await findOrganization(db, call);
      const userIds = members === undefined ? [] : await idsOf(db, call);
      await refusing(makeTeam(db, operatorOf(organizationId, systemClock.now()), { name, group, userIds }));
    });
    process.stdout.write(`Created the team ${printable(name)}.\n`);
  },
};

export const teamRename: Command = {
  name: 'team rename',
  summary: 'Rename a team',
  options: [
    NAME_OPTION,
    { name: 'to', value: 'name', required: true, meaning: 'The new name.' },
    ORGANIZATION_OPTION,
  ],
  positional: 'name',
  example: 'countersign team rename platform --to core',
  quiet: true,
  async run(call) {
    const name = checkedOption(call, 'to', TeamName);
    const before = await withTeam(call, async (db, team) => {
      await alterTeam(db, operatorOf(team.organizationId, systemClock.now()), { teamId: team.id, name });
      return team.name;
    });
    process.stdout.write(`Renamed the team ${printable(before)} to ${printable(name)}.\n`);
  },
};

export const teamDelete: Command = {
  name: 'team delete',
  summary: 'Delete a team with its review requests',
  options: [NAME_OPTION, ORGANIZATION_OPTION],
  positional: 'name',
  example: 'countersign team delete platform',
  quiet: true,
  async run(call) {
    const { name, requests } = await withTeam(call, async (db, team) => ({
      name: team.name,
      requests: await removeTeam(db, operatorOf(team.organizationId, systemClock.now()), team.id),
    }));
    const waiting =
      requests === 1 ? '1 pull request no longer waits' : `${requests} pull requests no longer wait`;
    const ended = requests === 0 ? '' : ` ${waiting} for its review.`;
    process.stdout.write(`Deleted the team ${printable(name)}.${ended}\n`);
  },
};

export const teamAdd: Command = {
  name: 'team add',
  summary: 'Add members to a team',
  options: [NAME_OPTION, MEMBERS_OPTION, ORGANIZATION_OPTION],
  positional: 'name',
  example: 'countersign team add platform --members ada@example.com',
  quiet: true,
  run: (call) => changeMembers(call, 'add'),
};

export const teamRemove: Command = {
  name: 'team remove',
  summary: 'Remove members from a team',
  options: [NAME_OPTION, MEMBERS_OPTION, ORGANIZATION_OPTION],
  positional: 'name',
  example: 'countersign team remove platform --members ada@example.com',
  quiet: true,
  run: (call) => changeMembers(call, 'remove'),
};

async function changeMembers(call: Call, change: 'add' | 'remove'): Promise<void> {
  const { changed, name } = await withTeam(call, async (db, team) => {
    const source = operatorOf(team.organizationId, systemClock.now());
    const userIds = await idsOf(db, call);
    const { added, removed } = await alterTeamMembers(db, source, { teamId: team.id, [change]: userIds });
    return { name: team.name, changed: added.length + removed.length };
  });
  const people = changed === 1 ? '1 member' : `${changed} members`;
  process.stdout.write(
    change === 'add'
      ? `Added ${people} to the team ${printable(name)}.\n`
      : `Removed ${people} from the team ${printable(name)}.\n`,
  );
}

function withTeam<Result>(
  call: Call,
  run: (db: Db, team: { id: string; name: string; organizationId: string }) => Promise<Result>,
): Promise<Result> {
  return withDatabase(call, async (db) => {
    const { id: organizationId } = await findOrganization(db, call);
    const wanted = textOption(call, 'name');
    const team = (await findTeamsByName(db, organizationId, [wanted])).get(wanted.toLowerCase());
    if (!team)
      throw new StartFailure(
        'refused',
        `no team named ${printable(wanted)}. To list teams: countersign team list`,
      );
    return refusing(run(db, { ...team, organizationId }));
  });
}

/** The rules for teams refuse with a problem, which is printed as a sentence. */
function refusing<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    const problems = error.errors?.map(({ message }) => `one of --members ${message}`) ?? [error.message];
    throw new StartFailure('refused', problems.map(printable).join('\n'));
  });
}

async function idsOf(db: Db, call: Call): Promise<string[]> {
  const ids: string[] = [];
  for (const address of textOption(call, 'members').split(',')) {
    const email = Email.safeParse(address.trim());
    if (!email.success)
      throw new StartFailure('usage', `--members: ${printable(address)} is not an email address`);
    ids.push((await findUser(db, email.data)).id);
  }
  return ids;
}
