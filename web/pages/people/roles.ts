/** The roles of an organization, and what each adds. */
import type { CallOutput } from '../../api/client.ts';

export type Role = CallOutput<'list-members'>['members'][number]['role'];

export const ROLE_WITH_ARTICLE: Record<Role, string> = {
  viewer: 'a viewer',
  member: 'a member',
  admin: 'an admin',
  owner: 'an owner',
};

export const ROLES: { role: Role; means: string }[] = [
  { role: 'viewer', means: 'can read everything' },
  { role: 'member', means: 'can also post plans and comments' },
  { role: 'admin', means: 'can also manage people and settings' },
  { role: 'owner', means: 'can also manage owners' },
];
