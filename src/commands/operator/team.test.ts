/** `countersign team` in this process: create, list, show, rename, add, remove and delete. */
import { expect, it } from 'vitest';
import { startOperatorCommands } from '../../../test/helpers/processes/operator-commands.ts';
import { makeOrganization, type Person } from '../../../test/helpers/service/factories.ts';
import type { Command } from '../command.ts';
import { teamAdd, teamCreate, teamDelete, teamList, teamRemove, teamRename, teamShow } from './team.ts';

const { acme, db, run } = await startOperatorCommands({ organization: 'Acme' });
const globex = await makeOrganization(db, 'Globex', new Date());
const emails = (...people: Person[]) => people.map(({ email }) => email).join(',');
const shown = async (name: string) =>
  (JSON.parse(await run(teamShow, { name, json: true })) as { email: string }[]).map(({ email }) => email);

it('makes, shows, changes and deletes a team, each in the audit log, and refuses what makes no sense', async () => {
  const name = 'platform';
  expect(await run(teamList)).toContain('No teams');
  expect(await run(teamCreate, { name, members: emails(acme.member, acme.viewer) })).toBe(
    'Created the team platform.\n',
  );
  expect(JSON.parse(await run(teamList, { json: true }))).toMatchObject([
    { name, members: '2', group: null },
  ]);
  expect(await run(teamAdd, { name: 'Platform', members: emails(acme.admin, acme.member) })).toBe(
    'Added 1 member to the team platform.\n',
  );
  expect(await run(teamRemove, { name, members: emails(acme.viewer) })).toContain('Removed 1 member');
  expect((await shown(name)).sort()).toEqual([acme.admin.email, acme.member.email].sort());
  expect(await run(teamRename, { name, to: 'core' })).toBe('Renamed the team platform to core.\n');
  await run(teamCreate, { name: 'other' });
  const refused: [Command, Record<string, string>, string][] = [
    [teamShow, { name }, 'no team named platform'],
    [teamShow, { name: 'core', organization: 'Globex' }, 'no team named core'],
    [teamCreate, { name: 'CORE' }, 'already a team named CORE'],
    [teamCreate, { name: 'a b' }, 'must have at most 100 letters'],
    [teamCreate, { name: 'sso', group: 'g' }, 'Set up single sign-on first'],
    [teamCreate, { name: 'sso', group: 'g', members: emails(acme.admin) }, 'come from the group'],
    [teamRename, { name: 'core', to: 'other' }, 'already a team named other'],
    [teamAdd, { name: 'core', members: emails(globex.member) }, 'one of --members is not an active member'],
    [teamAdd, { name: 'core', members: 'nobody@acme.example' }, 'no user with the email address'],
    [teamAdd, { name: 'core', members: 'nobody' }, 'nobody is not an email address'],
  ];
  for (const [command, options, message] of refused)
    await expect(run(command, options), message).rejects.toThrow(message);
  expect(await run(teamDelete, { name: 'core' })).toBe('Deleted the team core.\n');
  const audited = await db
    .selectFrom('audit_events')
    .select(['action', 'subject_name', 'actor_kind'])
    .where('action', 'like', 'team.%')
    .orderBy('id')
    .execute();
  expect(audited.map((row) => `${row.action} ${row.subject_name} ${row.actor_kind}`)).toEqual([
    'team.created platform operator',
    'team.members_changed platform operator',
    'team.members_changed platform operator',
    'team.changed core operator',
    'team.created other operator',
    'team.deleted core operator',
  ]);
});
