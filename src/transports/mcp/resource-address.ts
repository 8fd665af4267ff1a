/** The URIs of resources: `countersign://plans/{planId}` and `countersign://plans/{planId}/comments`. */
import { isUuid } from '../../platform/core/shapes.ts';

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
];

interface ResourceAddress {
  planId: string;
  part: 'plan' | 'comments';
}

export function planAddress(planId: string): string {
  return `countersign://plans/${planId}`;
}

export function readResourceAddress(uri: string): ResourceAddress | undefined {
  const [, planId, comments] = /^countersign:\/\/plans\/([^/]+)(\/comments)?$/.exec(uri) ?? [];
  if (planId === undefined || !isUuid(planId)) return undefined;
  return { planId: planId.toLowerCase(), part: comments ? 'comments' : 'plan' };
}
