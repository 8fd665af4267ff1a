/** The search parameters of each page and how they are parsed: invalid ones are dropped. */
import { searchQueryFor, writeSearchFilter } from '../src/engines/text/index.ts';

type Search = Record<string, unknown>;

const PLAN_STATUSES = ['pending', 'approved', 'implemented', 'closed'] as const;
const SEARCH_MODES = ['files', 'commits'] as const;
const PLAN_REVIEWS = ['needs_my_review', 'changes_requested'] as const;
const PULL_REQUEST_SCOPES = ['mine', 'waiting'] as const;
const PULL_REQUEST_STATES = ['open', 'draft', 'merged', 'closed', 'all'] as const;
const PULL_REQUEST_VIEWS = ['files', 'commits', 'reviews', 'activity', 'conflicts'] as const;
const DISCUSSION_STATUSES = ['open', 'addressed', 'resolved'] as const;
const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const;

export interface PlansSearch {
  status?: (typeof PLAN_STATUSES)[number];
  review?: (typeof PLAN_REVIEWS)[number];
  repository?: string;
  authorId?: string;
  agentVendor?: string;
  search?: string;
}

export interface PlanSearch {
  /** The version that is shown; default: the newest. */
  version?: number;
  /** The older version that it is compared with. */
  compare?: number;
  /** A comment, whose thread is opened. */
  thread?: string;
  view?: string;
}

export interface PullRequestsSearch {
  scope?: (typeof PULL_REQUEST_SCOPES)[number];
  state?: (typeof PULL_REQUEST_STATES)[number];
  repositoryId?: string;
  authorId?: string;
  assigneeId?: string;
  reviewerId?: string;
  label?: string;
  openDiscussions?: true;
  search?: string;
}

export interface PullRequestSearch {
  /** Default: the conversation. */
  view?: (typeof PULL_REQUEST_VIEWS)[number];
  /** Two commits that are compared; default: what the pull request changes. */
  from?: string;
  to?: string;
  /** The two are a commit and its parent, with steps to the next commit. */
  by?: 'commit';
  /** The file that is shown first. */
  path?: string;
  /** Lines of that file: `R3-5` on the new side, `L3` on the old one. */
  lines?: string;
  /** The discussion that is shown first. */
  discussion?: string;
  status?: (typeof DISCUSSION_STATUSES)[number];
  author?: string;
}

export interface InboxSearch {
  unread?: true;
}

export interface RepositoriesSearch {
  search?: string;
}

export interface ArchitectureSearch {
  /** Keywords. */
  search?: string | undefined;
  /** One that doesn't exist is told. */
  domain?: string | undefined;
}

export interface BrowseSearch {
  /** A branch, a tag or a commit; default: the default branch. */
  ref?: string;
  /** A folder's path ends with a slash. */
  path?: string;
  /** Markdown as it is written. */
  source?: true;
}

/** A search in all repositories, or in one. */
export interface CodeSearch {
  /** Only in one repository. */
  ref?: string;
  /** Default: lines of code. */
  mode?: (typeof SEARCH_MODES)[number];
  /** In the language of the search form; for files, words or a glob. */
  query?: string;
  ignoreCase?: true;
  /** The query is a regular expression, apart from filters; default: literal text. */
  regex?: true;
  /** Commits whose changes have the text; default: whose message has it. */
  changes?: true;
}

export interface WebhooksSearch {
  /** The one whose deliveries are shown. */
  webhook?: string;
  state?: (typeof DELIVERY_STATES)[number];
}

export interface AuditSearch {
  action?: string;
  userId?: string;
  from?: string;
  until?: string;
}

export interface DismissalsSearch {
  repositoryId?: string;
  reviewerId?: string;
}

export function readPlansSearch(search: Search): PlansSearch {
  return {
    ...(isPlanStatus(search.status) && { status: search.status }),
    ...(isPlanReview(search.review) && { review: search.review }),
    ...textOf(search, 'repository', 300),
    ...(isUuid(search.authorId) && { authorId: search.authorId }),
    ...textOf(search, 'agentVendor', 100),
    ...textOf(search, 'search', 200),
  };
}

export function readPlanSearch(search: Search): PlanSearch {
  return {
    ...(isVersion(search.version) && { version: search.version }),
    ...(isVersion(search.compare) && { compare: search.compare }),
    ...(isUuid(search.thread) && { thread: search.thread }),
    ...textOf(search, 'view', 40),
  };
}

export function readPullRequestsSearch(search: Search): PullRequestsSearch {
  return {
    ...oneOf(search, 'scope', PULL_REQUEST_SCOPES),
    ...oneOf(search, 'state', PULL_REQUEST_STATES),
    ...(isUuid(search.repositoryId) && { repositoryId: search.repositoryId }),
    ...(isUuid(search.authorId) && { authorId: search.authorId }),
    ...(isUuid(search.assigneeId) && { assigneeId: search.assigneeId }),
    ...(isUuid(search.reviewerId) && { reviewerId: search.reviewerId }),
    ...textOf(search, 'label', 300),
    ...(search.openDiscussions === true && { openDiscussions: true }),
    ...textOf(search, 'search', 300),
  };
}

export function readPullRequestSearch(search: Search): PullRequestSearch {
  return {
    ...oneOf(search, 'view', PULL_REQUEST_VIEWS),
    ...(isCommit(search.from) && { from: search.from }),
    ...(isCommit(search.to) && { to: search.to }),
    ...oneOf(search, 'by', ['commit'] as const),
    ...textOf(search, 'path', 4096),
    ...(isLines(search.lines) && { lines: search.lines }),
    ...(isUuid(search.discussion) && { discussion: search.discussion }),
    ...oneOf(search, 'status', DISCUSSION_STATUSES),
    ...textOf(search, 'author', 300),
  };
}

export function readInboxSearch(search: Search): InboxSearch {
  return search.unread === true ? { unread: true } : {};
}

export function readRepositoriesSearch(search: Search): RepositoriesSearch {
  return textOf(search, 'search', 300);
}

export function readArchitectureSearch(search: Search): ArchitectureSearch {
  return { ...textOf(search, 'search', 300), ...textOf(search, 'domain', 200) };
}

export function readBrowseSearch(search: Search): BrowseSearch {
  return {
    ...textOf(search, 'ref', 1000),
    ...textOf(search, 'path', 4096),
    ...(search.source === true && { source: true }),
  };
}

/** The filters of code search; those of commits are apart. */
export const CODE_FILTERS = ['repo', 'path', 'lang', 'branch'];
export const COMMIT_FILTERS = ['repo', 'path', 'author', 'branch'];
const MAX_QUERY_CHARACTERS = 1900;

export function readCodeSearch(search: Search): CodeSearch {
  const mode = oneOf(search, 'mode', SEARCH_MODES);
  return {
    ...textOf(search, 'ref', 1000),
    ...mode,
    ...textOf({ query: search.query ?? formerQuery(search, mode.mode) }, 'query', MAX_QUERY_CHARACTERS),
    ...(search.ignoreCase === true && { ignoreCase: true }),
    ...(search.regex === true && { regex: true }),
    ...(search.changes === true && { changes: true }),
  };
}

/** Links from before there was one field for everything. */
function formerQuery(search: Search, mode: CodeSearch['mode']): string | undefined {
  const { pattern } = textOf(search, 'pattern', MAX_QUERY_CHARACTERS);
  if (pattern === undefined) return undefined;
  if (mode === 'files') return pattern;
  const filter = (parameter: string, name: string) => {
    const value = textOf(search, parameter, MAX_QUERY_CHARACTERS)[parameter];
    return value === undefined ? [] : [writeSearchFilter({ name, value, isNegated: false })];
  };
  return [
    search.regex === true ? pattern : searchQueryFor(pattern, CODE_FILTERS),
    ...filter('repositories', 'repo'),
    ...filter('paths', 'path'),
    ...filter('path', 'path'),
    ...filter('language', 'lang'),
  ].join(' ');
}

export function readAuditSearch(search: Search): AuditSearch {
  return {
    ...(typeof search.action === 'string' && { action: search.action }),
    ...(typeof search.userId === 'string' && { userId: search.userId }),
    ...(isDay(search.from) && { from: search.from }),
    ...(isDay(search.until) && { until: search.until }),
  };
}

export function readDismissalsSearch(search: Search): DismissalsSearch {
  return {
    ...(isUuid(search.repositoryId) && { repositoryId: search.repositoryId }),
    ...(isUuid(search.reviewerId) && { reviewerId: search.reviewerId }),
  };
}

export function readWebhooksSearch(search: Search): WebhooksSearch {
  return {
    ...(isUuid(search.webhook) && { webhook: search.webhook }),
    ...(isDeliveryState(search.state) && { state: search.state }),
  };
}

export function readCodeHostsSearch(search: Search): { host?: string } {
  return isUuid(search.host) ? { host: search.host } : {};
}

/** Parameters that a code host returns with, and those that the page started with. */
export function readHostReturn(search: Search): {
  code?: string;
  state?: string;
  url?: string;
  organization?: string;
} {
  return {
    ...textOf(search, 'code', 2000),
    ...textOf(search, 'state', 200),
    ...textOf(search, 'url', 2000),
    ...textOf(search, 'organization', 100),
  };
}

export function readProviderReturn(search: Search): {
  state?: string;
  code?: string;
  iss?: string;
  error?: string;
} {
  return {
    ...textOf(search, 'state', 200),
    ...textOf(search, 'code', 8000),
    ...textOf(search, 'iss', 1000),
    ...textOf(search, 'error', 200),
  };
}

function isPlanStatus(value: unknown): value is PlansSearch['status'] & string {
  return PLAN_STATUSES.some((status) => status === value);
}

function isPlanReview(value: unknown): value is PlansSearch['review'] & string {
  return PLAN_REVIEWS.some((review) => review === value);
}

function isDeliveryState(value: unknown): value is WebhooksSearch['state'] & string {
  return DELIVERY_STATES.some((state) => state === value);
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 2_147_483_647;
}

function isCommit(value: unknown): value is string {
  return typeof value === 'string' && /^([\da-f]{40}|[\da-f]{64})$/.test(value);
}

function isLines(value: unknown): value is string {
  return typeof value === 'string' && /^[LR][1-9]\d{0,6}(-[1-9]\d{0,6})?$/.test(value);
}

/** One of a few words. */
function oneOf<Name extends string, Value extends string>(
  search: Search,
  name: Name,
  values: readonly Value[],
): { [name in Name]?: Value } {
  const value = values.find((each) => each === search[name]);
  return (value === undefined ? {} : { [name]: value }) as { [name in Name]?: Value };
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

/** A text parameter, cut to what the service accepts; digits alone arrive as numbers. */
function textOf<Name extends string>(
  search: Record<string, unknown>,
  name: Name,
  maxCharacters: number,
): { [name in Name]?: string } {
  const value = search[name];
  if (typeof value !== 'string' && typeof value !== 'number') return {};
  const text = [...String(value)].slice(0, maxCharacters).join('');
  return (text === '' ? {} : { [name]: text }) as { [name in Name]?: string };
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** A path of this app, not of another site; parsed the way browsers parse it. */
export function isOwnPath(path: string): boolean {
  return path.startsWith('/') && URL.parse(path, location.origin)?.origin === location.origin;
}
