/** The shapes and limits of watching repositories. */
import { z } from 'zod';
import { timestamp, uuid } from '../../platform/core/operations/shapes.ts';
import { PathGlob } from '../organization-settings/contract.ts';

export const MAX_WATCHED_PATHS = 50;
export const MAX_WATCHES = 500;

const repositoryId = uuid();
const paths = z
  .array(z.string())
  .describe('Globs; pull requests that change no matching path are left out. Empty: all pull requests.');

export const GetRepositoryWatchInput = z.object({ repositoryId });
export const RepositoryWatch = z
  .object({
    watching: z.boolean().describe('Whether you watch it yourself.'),
    paths,
    since: timestamp().nullable().describe('Null if you don’t watch it.'),
    teams: z
      .array(
        z.object({
          id: uuid(),
          name: z.string(),
          isMember: z.boolean().describe('Whether you are in the team.'),
          paths,
        }),
      )
      .describe('The teams that watch it, by name.'),
  })
  .meta({ id: 'RepositoryWatch' });

const teamId = uuid().optional().describe('The team that watches, instead of you. Only admins can send it.');
export const WatchRepositoryInput = z.object({
  repositoryId,
  teamId,
  paths: z
    .array(PathGlob)
    .max(MAX_WATCHED_PATHS)
    .optional()
    .describe('Replaces all. Default: none, which means all pull requests.'),
});
export const UnwatchRepositoryInput = z.object({ repositoryId, teamId });

export const ListWatchesInput = z.object({});
export const WatchList = z
  .object({
    watches: z
      .array(
        z.object({
          repository: z.object({ id: uuid(), name: z.string() }),
          team: z
            .object({ id: uuid(), name: z.string() })
            .nullable()
            .describe('One of your teams; null: you yourself.'),
          paths,
          since: timestamp(),
        }),
      )
      .describe(`Yours and those of your teams, by repository; at most ${MAX_WATCHES}.`),
  })
  .meta({ id: 'WatchList' });
