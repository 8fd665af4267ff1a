/** The shapes and limits of teams. */
import { z } from 'zod';
import { requiredText, timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export const MAX_TEAMS = 500;
export const MAX_TEAM_MEMBERS = 1000;

const TeamName = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/,
    'must have at most 100 letters, digits, dots, hyphens and underscores, and begin and end with a letter or digit',
  )
  .describe('People mention the team as `@name`. Unique in the organization, whatever its case.');
const Group = requiredText({ max: 200 }).describe(
  "A value of the groups claim of single sign-on. The team's members are then those whom the provider names.",
);

export const Team = z
  .object({
    id: uuid(),
    name: z.string(),
    group: z
      .string()
      .nullable()
      .describe('The group of single sign-on that its members come from, if they do.'),
    codeHost: z
      .object({
        id: uuid(),
        name: z.string(),
        team: z.string().describe('The path of the team or group there.'),
        syncedAt: timestamp().nullable().describe('When its members were last read; null: not yet.'),
        problem: z.string().nullable().describe('Why they could not be read.'),
        unlinked: z
          .array(z.string())
          .describe('Logins of members there whose account is linked to nobody here; at most 100.'),
      })
      .nullable()
      .describe('The team or group of a code host that its members come from, if they do.'),
    members: z.int().describe('How many active members it has.'),
    isMember: z.boolean().describe('Whether you are one of them.'),
    createdAt: timestamp(),
  })
  .meta({ id: 'Team' });

export const ListTeamsInput = z.object({});
export const TeamList = z
  .object({ teams: z.array(Team).describe(`By name; there are at most ${MAX_TEAMS}.`) })
  .meta({ id: 'TeamList' });

const teamId = uuid();
export const GetTeamInput = z.object({ teamId });
export const TeamDetail = Team.extend({
  people: z
    .array(z.object({ id: uuid(), name: z.string(), email: z.string(), active: z.boolean() }))
    .describe('By name, deactivated members too.'),
  reviewRequests: z.int().describe('Pull requests that wait for its review.'),
}).meta({ id: 'TeamDetail' });

const UserIds = z.array(uuid()).max(MAX_TEAM_MEMBERS);
export const CreateTeamInput = z.object({
  name: TeamName,
  group: Group.optional(),
  userIds: UserIds.optional().describe('Its first members. Not with `group`.'),
});
export const ChangeTeamInput = z.object({
  teamId,
  name: TeamName.optional(),
  group: z
    .union([Group, z.literal('')])
    .optional()
    .describe('Empty: members are chosen here from now on, beginning with the present ones.'),
});
export const ChangeTeamMembersInput = z.object({
  teamId,
  add: UserIds.optional(),
  remove: UserIds.optional(),
});
export const FollowHostTeamInput = z.object({
  teamId,
  codeHostId: uuid(),
  team: requiredText({ max: 300 })
    .regex(/^[^/\s]+(\/[^/]+)+$/, 'must be a path such as group/team')
    .describe('The path of the team or group on the host, such as `acme/platform`.'),
});
export const DeleteTeamInput = z.object({ teamId });
