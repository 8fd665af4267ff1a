/**
 * The URIs of resources: `countersign://plans/{planId}`, `countersign://plans/{planId}/comments`,
 * `discussions://{repository}/{branch}` and `repository://{repository}`, with names percent-encoded.
 */
import { isUuid } from '../../../platform/core/operations/shapes.ts';

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'countersign://plans/{planId}',
    name: 'plan',
    title: 'A plan',
    description: 'The newest version of a plan, as Markdown, with its status.',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'countersign://plans/{planId}/comments',
    name: 'plan-comments',
    title: 'The comments on a plan',
    description: 'The comments of reviewers and agents on a plan, by thread.',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'discussions://{repository}/{branch}',
    name: 'discussions',
    title: 'The review of a branch',
    description:
      "The open discussions of the branch's newest pull request, its conversation and the verdicts of reviewers. Both names are percent-encoded.",
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'repository://{repository}',
    name: 'repository',
    title: 'What a repository is and does',
    description:
      'Its summaries with evidence, what it depends on, and who depends on it. The name is percent-encoded.',
    mimeType: 'text/markdown',
  },
];

export type ResourceAddress =
  | { part: 'plan' | 'comments'; planId: string }
  | { part: 'discussions'; repository: string; branch: string }
  | { part: 'repository'; repository: string };

export function planAddress(planId: string): string {
  return `countersign://plans/${planId}`;
}

export function readResourceAddress(uri: string): ResourceAddress | undefined {
  const [, planId, comments] = /^countersign:\/\/plans\/([^/]+)(\/comments)?$/.exec(uri) ?? [];
  if (planId !== undefined && isUuid(planId)) {
    return { planId: planId.toLowerCase(), part: comments ? 'comments' : 'plan' };
  }
  const names = /^discussions:\/\/([^/?#]+)\/([^/?#]+)$/.exec(uri)?.slice(1).map(decode);
  const [repository, branch] = names ?? [];
  if (repository && branch) return { part: 'discussions', repository, branch };
  const described = /^repository:\/\/([^/?#]+)$/.exec(uri)?.slice(1).map(decode)[0];
  return described ? { part: 'repository', repository: described } : undefined;
}

/** Undefined if it is not valid percent-encoding. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
