/** The prose of the OpenAPI document: what a reader should know before the first request, and what each group is. */
import { keyAcceptingEndpoints, type Operation } from '../../platform/core/operation.ts';

/** One sentence for each group of operations; a group that is missing here fails the document's test. */
export const GROUP_DESCRIPTIONS: Record<string, string> = {
  Planner: 'What coding agents report while they plan.',
  Plans:
    'Plans that coding agents write: their versions, the comments on them, reviews, linked pull requests, and what happens to them as it happens.',
  Repositories:
    'The repositories whose code can be searched: where they are fetched from, who sees them, their branches and tags.',
  Code: 'The code of the repositories, at every branch, tag and commit: files by name, lines by regular expression, folders and files.',
  Organization: 'What is switched on in the organization.',
  Inbox: 'What you were told of: comments, replies, reviews and new versions that concern you.',
  Webhooks: 'Other programs that are told of events of plans, and what was delivered to them.',
  Accounts: 'Setting up, signing in and out, joining by invitation, and the places where you are signed in.',
  'API keys': 'Keys for scripts, CI pipelines and agents. They are managed by people, never with a key.',
  Agents:
    'Coding agents that people signed in (OAuth), and the requests of agents to be signed in. They are managed by people alone.',
  People: 'The members of the organization, their roles, and invitations.',
  Audit: 'Who did what, when and from where.',
};

export function introduction(operations: readonly Operation[], baseUrl: string): string {
  const endpoints = keyAcceptingEndpoints(operations).map((endpoint) => `- \`${endpoint}\``);
  return [
    'Countersign is where an organization reviews code and the plans that its coding agents write. This is its REST interface.',
    '## Authentication',
    'Scripts, CI pipelines and agents send an API key in the `x-api-key` header of every request. A key acts as the person who generated it, with that person’s role as it is at that moment. When the header is there it decides alone: cookies are not looked at.',
    ...(endpoints.length > 0
      ? ['These endpoints accept a key, and their number grows:', endpoints.join('\n')]
      : []),
    'All others are for people who signed in, whose browser then sends a session cookie by itself, or need no credential at all.',
    '## Errors',
    `Every error is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with a stable \`code\`. [The list of codes](${baseUrl}/docs/errors) says what each means and what to do next. Name the \`requestId\` when you ask the operator about one.`,
    '## Conventions',
    [
      '- Bodies are JSON in UTF-8. Names are case-sensitive and exact.',
      '- Times are RFC 3339 in UTC with milliseconds, such as `2026-01-31T12:00:00.000Z`.',
      '- Limits on text count Unicode code points.',
      '- Null in an optional request field means the same as leaving it out, unless the field says otherwise.',
      '- Unknown fields and parameters are ignored; one that differs from a known name only in case, `_` or `-` is refused.',
    ].join('\n'),
    '## Versions',
    '`/api/v2` only grows: new fields and endpoints may appear, none changes its meaning. What is to be removed carries `Deprecation` and `Sunset` headers for at least six months.',
  ].join('\n\n');
}
