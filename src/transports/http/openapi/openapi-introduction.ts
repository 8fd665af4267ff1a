/** The prose of the OpenAPI document: what to know before the first request, and a description of each group. */
import { keyAcceptingEndpoints, type Operation } from '../../../platform/core/operations/operation.ts';

/** One sentence for each group of operations; a test fails if a group is missing. */
export const GROUP_DESCRIPTIONS: Record<string, string> = {
  Planner: 'What coding agents report while they plan.',
  Plans:
    'Plans that coding agents write: their versions, the comments on them, reviews, linked pull requests, and a live feed of changes.',
  'Pull requests':
    'Pull requests of the code hosts and of plain git: what they change, their reviews, and a live feed of changes.',
  Repositories:
    'The repositories whose code can be searched: where they are fetched from, who sees them, their branches and tags.',
  Images: 'Images in comments on pull requests and plans, for whoever can read those.',
  Reviews:
    'Review discussions on pull requests: read, open, reply, resolve and reopen them. An agent reads and replies; only people resolve.',
  Reviewers:
    'Who reviews pull requests: built-in and custom reviewers, where they apply, and the settings of reviews.',
  Code: 'The code of the repositories, at every branch, tag and commit: files by name, lines by regular expression, folders and files.',
  Architecture:
    'What each repository is and does: summaries by domain, made from the code, with the places that show it.',
  'Code hosts':
    'Connections to GitHub, GitLab, Gitea and Forgejo: which repositories are added, who can see them, and whose accounts are linked.',
  Organization: 'Organization settings.',
  Inbox: 'Your notifications: comments, replies, reviews and new versions.',
  Webhooks: 'Send signed events of plans and pull requests to your own services, and see what was delivered.',
  Accounts: 'Setup, sign-in and sign-out, joining by invitation, and your active sessions.',
  'Single sign-on': 'Signing in with the identity provider of your company (OpenID Connect).',
  'API keys': 'Keys for scripts, CI pipelines and agents. Keys cannot manage keys: sign in to do that.',
  Agents: 'Coding agents connected with OAuth, and their pending sign-in requests.',
  People: 'The members of the organization, their roles, and invitations.',
  Teams: 'Named groups of members that review together, own paths and can be mentioned.',
  System:
    'The state of the installation: versions, sizes, nodes, the queue, failed jobs, and what to do about problems.',
  Audit: 'Who did what, when and from where.',
};

export function introduction(operations: readonly Operation[], baseUrl: string): string {
  const endpoints = keyAcceptingEndpoints(operations).map((endpoint) => `- \`${endpoint}\``);
  return [
    'Countersign is where an organization reviews code and the plans that its coding agents write. This is its REST interface.',
    '## Authentication',
    'Scripts, CI pipelines and agents send an API key in the `x-api-key` header of every request. A key acts as the user who created it, with that user’s current role. If the header is present, cookies are ignored.',
    ...(endpoints.length > 0 ? ['These endpoints accept a key:', endpoints.join('\n')] : []),
    'All other endpoints need a browser session, or no credential at all.',
    '## Errors',
    `Every error is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with a stable \`code\`. [The list of codes](${baseUrl}/docs/errors) explains each one and what to do next. Include the \`requestId\` when you contact the operator.`,
    '## Conventions',
    [
      '- Bodies are JSON in UTF-8. Names are case-sensitive and exact.',
      '- Times are RFC 3339 in UTC with milliseconds, such as `2026-01-31T12:00:00.000Z`.',
      '- Limits on text count Unicode code points.',
      '- Null in an optional request field is the same as omitting it, unless the field says otherwise.',
      '- Unknown fields and parameters are ignored, except names that differ from a known one only in case, `_` or `-`: those return 400.',
    ].join('\n'),
    '## Versions',
    '`/api/v2` only gains fields and endpoints; existing ones keep their meaning. Anything to be removed sends `Deprecation` and `Sunset` headers for at least six months.',
  ].join('\n\n');
}
