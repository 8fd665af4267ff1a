/** What the plans' operations answer, as far as the tools read it. */

interface Person {
  id: string;
  name: string;
}

export interface PlanReview {
  id: string;
  version: number;
  reviewer: Person;
  verdict: string;
  note: string | null;
  createdAt: string;
  withdrawnAt: string | null;
}

export interface Plan {
  seriesId: string;
  versionId: string;
  version: number;
  status: string;
  content: string;
  agentVendor: string;
  repoNames: string[];
  pullRequests: { repoName: string | null; prNumber: number }[];
  createdBy: Person;
  url: string;
}

export interface PlanDetail extends Plan {
  commentCount: number;
  versions: { version: number; author: Person; createdAt: string; unchanged: boolean }[];
  reviews: PlanReview[];
  freshness: { repoName: string; state: string }[];
  lastEvent: number;
}

type AuthorKind = 'key' | 'session' | 'oauth';

export interface ThreadComment {
  id: string;
  threadId: string;
  versionId: string;
  parentId: string | null;
  body: string;
  author: Person;
  authorKind: AuthorKind;
  version: number;
  triageState: 'open' | 'dismissed' | null;
  createdAt: string;
  quote: string | null;
  placement: { result: string; newText?: string; heading?: string | null } | null;
  addressed: { version: number } | null;
}

export interface PlanThreads {
  version: number;
  status: string;
  lastEvent: number;
  comments: ThreadComment[];
  mutedThreadIds: string[];
  nextCursor: string | null;
}

export interface PlanEvent {
  number: number;
  kind: string;
  actor: { kind: string; id: string | null; name: string | null };
  createdAt: string;
  data: Record<string, unknown>;
}

export interface PlanChanges {
  events: PlanEvent[];
  cursor: number;
  status: string;
  version: number;
}
