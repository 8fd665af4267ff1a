/** Lists repositories page by page: of the token's account, or of one installation of the App after the other. */
import { z } from 'zod';
import { hasNextPage, pageNumber } from '../pages.ts';
import type { Page, Repository } from '../port.ts';
import { readReply } from '../read-reply.ts';
import type { GitHubAccess } from './access.ts';
import { repositoryOf } from './read.ts';
import { installationRepositoriesShape, repositoryShape } from './shapes.ts';

const PAGE_SIZE = 100;

export async function listRepositories(
  access: GitHubAccess,
  prefix: string,
  page: string | undefined,
): Promise<Page<Repository>> {
  if (access.isApp) return await ofInstallations(access, prefix, page);
  const number = pageNumber(page);
  const reply = await access.self({
    path: `${prefix}/user/repos`,
    query: { sort: 'full_name', per_page: PAGE_SIZE, page: number },
  });
  const found = readReply(z.array(repositoryShape), reply.json, 'the repositories');
  return {
    items: found.map((one) => repositoryOf(one, false)),
    next: hasNextPage(reply.headers) ? String(number + 1) : null,
  };
}

/** A page is `installation.page`. */
async function ofInstallations(access: GitHubAccess, prefix: string, page = ''): Promise<Page<Repository>> {
  const [from = '', number = ''] = page.split('.');
  const installations = await access.installations();
  const remaining = installations.filter(({ id }) => from === '' || id >= Number(from));
  const [installation, following] = remaining;
  if (!installation) return { items: [], next: null };
  const current = installation.id === Number(from) ? pageNumber(number) : 1;
  const reply = await access.installationClient(installation)({
    path: `${prefix}/installation/repositories`,
    query: { per_page: PAGE_SIZE, page: current },
  });
  const { repositories } = readReply(installationRepositoriesShape, reply.json, 'the repositories');
  const ofFollowing = following ? `${following.id}.1` : null;
  return {
    items: repositories.map((one) => repositoryOf(one, true)),
    next: hasNextPage(reply.headers) ? `${installation.id}.${current + 1}` : ofFollowing,
  };
}
