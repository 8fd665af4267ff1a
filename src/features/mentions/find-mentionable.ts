/** GET /api/v2/mentionable: completes the name of a member or team that someone types after an at sign. */
import { defineOperation } from '../../context.ts';
import { mentionedIn } from '../../engines/text/index.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { selectRepository } from '../repositories/index.ts';
import { FindMentionableInput, MAX_MENTIONABLE, Mentionable } from './contract.ts';
import { type MentionableRow, selectMentionablePeople, selectMentionableTeams } from './mentionable-store.ts';

export const findMentionable = defineOperation({
  name: 'find-mentionable',
  group: 'Inbox',
  summary: 'Complete the name of a person or team',
  http: { method: 'GET', path: '/api/v2/mentionable', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: FindMentionableInput,
  output: Mentionable,
  problems: ['not_found'],
  async run({ actor, db }, { query = '', repositoryId }) {
    if (repositoryId !== undefined && !(await selectRepository(db, actor, repositoryId)))
      throw notFound('The repository');
    const search = {
      query: query.toLowerCase(),
      repositoryId: repositoryId ?? null,
      limit: MAX_MENTIONABLE,
    };
    const teams = await selectMentionableTeams(db, actor, search);
    const people = await selectMentionablePeople(db, actor, search);
    const present = (kind: 'person' | 'team') => (row: MentionableRow) => ({ kind, ...row });
    return {
      candidates: [...teams.map(present('team')), ...people.map(present('person'))]
        // An address can have characters that no text can mention.
        .filter(({ handle }) => mentionedIn(`@${handle}`)[0] === handle.toLowerCase())
        .slice(0, MAX_MENTIONABLE),
    };
  },
});
