/** POST /api/v2/repositories: adds a repository, which is cloned in the background. */

import { defineOperation } from '../../context.ts';
import { callerOf } from '../audit/index.ts';
import { AddRepositoryInput, Repository } from './contract.ts';
import { createRepository } from './create-repository.ts';
import { findRepository } from './find-repository.ts';
import { presentRepository } from './present-repository.ts';
import { acceptName, acceptRemoteUrl, remoteRules } from './remote-url.ts';

export const addRepository = defineOperation({
  name: 'add-repository',
  group: 'Repositories',
  summary: 'Add a repository',
  description:
    'The repository is cloned in the background, then fetched every few minutes; `state` and `activity` show the progress.',
  http: { method: 'POST', path: '/api/v2/repositories', status: 201 },
  accepts: ['session'],
  role: 'admin',
  input: AddRepositoryInput,
  output: Repository,
  problems: ['conflict'],
  async run(context, input) {
    const { actor, db, feed, secrets } = context;
    const url = await acceptRemoteUrl(input.url, input.credential ?? null, remoteRules(context.settings));
    const wanted = {
      name: acceptName(input.name, url),
      url,
      credential: input.credential ?? null,
      visibility: input.visibility ?? 'organization',
      memberIds: input.memberIds ?? [],
      addedByOperator: false,
    };
    const id = await createRepository(db, secrets, wanted, callerOf(context));
    context.afterCommit(() => feed.announce(id));
    return presentRepository(db, actor, await findRepository(context, id));
  },
});
