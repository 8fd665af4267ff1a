/** The part of GitHub's GraphQL API that knows review threads, on GitHub's published schema: it checks requests and replies. */
import { buildSchema, execute, type GraphQLSchema, parse, validate } from 'graphql';
import {
  type FakeAccount,
  type FakeComment,
  type FakeModel,
  type FakePullRequest,
  type FakeThread,
  isInDiff,
} from './fake-model.ts';
import { publishedFile } from './published-file.ts';

let schema: GraphQLSchema | undefined;

/** An error with the type that GitHub gives it. */
class TypedError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

export interface GraphqlCaller {
  account: FakeAccount;
  canSee(pullRequest: FakePullRequest): boolean;
}

export async function answerGraphql(
  model: FakeModel,
  caller: GraphqlCaller,
  request: { query: string; variables: Record<string, unknown> },
): Promise<{ body: unknown; problems: string[] }> {
  schema ??= buildSchema(publishedFile('@octokit/graphql-schema', 'schema.graphql'), { assumeValid: true });
  const document = parse(request.query);
  const problems = validate(schema, document).map(({ message }) => message);
  if (problems.length > 0) return { body: { errors: problems.map((message) => ({ message })) }, problems };
  const { data, errors = [] } = await execute({
    schema,
    document,
    rootValue: resolvers(model, caller),
    variableValues: request.variables,
  });
  // Anything but our own errors is a reply that doesn't fit the schema.
  const unexpected = errors.filter(({ originalError }) => !(originalError instanceof TypedError));
  const shown = errors.map(({ message, originalError, path }) => ({
    type: originalError instanceof TypedError ? originalError.type : undefined,
    path,
    message,
  }));
  return {
    body: { data, ...(shown.length > 0 ? { errors: shown } : {}) },
    problems: unexpected.map(({ message }) => message),
  };
}

function resolvers(model: FakeModel, caller: GraphqlCaller) {
  const { account } = caller;
  const visible = () =>
    model.repositories.flatMap(({ pullRequests }) => pullRequests).filter((one) => caller.canSee(one));
  function findThread(id: string): { pullRequest: FakePullRequest; thread: FakeThread } {
    for (const pullRequest of visible()) {
      const thread = pullRequest.threads.find((one) => `PRRT_${one.id}` === id);
      if (thread) return { pullRequest, thread };
    }
    throw new TypedError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'.`);
  }
  const setResolved = (id: string, by: FakeAccount | null) => {
    const { pullRequest, thread } = findThread(id);
    model.resolve(pullRequest, thread, by);
    return { thread: threadNode(thread) };
  };
  return {
    repository({ name, owner }: { owner: string; name: string }) {
      const found = model.findRepository(`${owner}/${name}`);
      if (!found)
        throw new TypedError(
          'NOT_FOUND',
          `Could not resolve to a Repository with the name '${owner}/${name}'.`,
        );
      return {
        pullRequest({ number }: { number: number }) {
          const pullRequest = visible().find((one) => one.repository === found && one.number === number);
          if (!pullRequest)
            throw new TypedError(
              'NOT_FOUND',
              `Could not resolve to a PullRequest with the number of ${number}.`,
            );
          return {
            reviewThreads: (page: PageArguments) =>
              connection(
                pullRequest.threads.filter(
                  ({ review }) => review.state !== 'pending' || review.author === account,
                ),
                page,
                (thread) => threadNode(thread),
              ),
          };
        },
      };
    },
    node: ({ id }: { id: string }) => threadNode(findThread(id).thread),
    addPullRequestReviewThreadReply({ input }: { input: Record<string, string> }) {
      const { pullRequest, thread } = findThread(input.pullRequestReviewThreadId!);
      return { comment: commentNode(thread, model.reply(pullRequest, thread, account, input.body!)) };
    },
    resolveReviewThread: ({ input }: { input: { threadId: string } }) => setResolved(input.threadId, account),
    unresolveReviewThread: ({ input }: { input: { threadId: string } }) => setResolved(input.threadId, null),
    addPullRequestReviewThread({ input }: { input: ThreadInput }) {
      const pullRequest = visible().find(({ reviews }) =>
        reviews.some(({ id }) => `PRR_${id}` === input.pullRequestReviewId),
      );
      const review = pullRequest?.reviews.find(({ id }) => `PRR_${id}` === input.pullRequestReviewId);
      if (!pullRequest || !review) throw new TypedError('NOT_FOUND', 'Could not resolve to a review.');
      const place = placeOf(input);
      // GitHub answers with no thread if the line can't be found, and with an error if the path can't.
      if (!pullRequest.diff[place.file]) throw new TypedError('UNPROCESSABLE', 'Path could not be resolved');
      if (!isInDiff(pullRequest, place)) return { thread: null };
      return {
        thread: threadNode(model.startThread(pullRequest, account, place, input.body, review)),
      };
    },
  };
}

interface ThreadInput {
  pullRequestReviewId: string;
  path: string;
  body: string;
  subjectType?: 'LINE' | 'FILE';
  line?: number;
  side?: 'LEFT' | 'RIGHT';
  startLine?: number;
}

function placeOf({ line = 0, path, side, startLine, subjectType }: ThreadInput) {
  const endLine = subjectType === 'FILE' ? 0 : line;
  return {
    file: path,
    side: side === 'LEFT' ? ('old' as const) : ('new' as const),
    startLine: startLine ?? endLine,
    endLine,
  };
}

interface PageArguments {
  first: number;
  after?: string | null;
}

function connection<Item, Node>(items: Item[], { after, first }: PageArguments, node: (item: Item) => Node) {
  const from = after ? Number(after) : 0;
  const to = Math.min(from + first, items.length);
  return {
    pageInfo: { hasNextPage: to < items.length, endCursor: to === from ? null : String(to) },
    nodes: items.slice(from, to).map(node),
  };
}

function threadNode(thread: FakeThread) {
  const isFile = thread.endLine === 0;
  const side = thread.side === 'old' ? 'LEFT' : 'RIGHT';
  return {
    __typename: 'PullRequestReviewThread',
    id: `PRRT_${thread.id}`,
    path: thread.file,
    subjectType: isFile ? 'FILE' : 'LINE',
    diffSide: side,
    startDiffSide: isFile || thread.startLine === thread.endLine ? null : side,
    line: isFile ? null : thread.endLine,
    originalLine: isFile ? null : thread.endLine,
    originalStartLine: isFile || thread.startLine === thread.endLine ? null : thread.startLine,
    isResolved: thread.resolvedBy !== null,
    resolvedBy: thread.resolvedBy && actor(thread.resolvedBy),
    comments: (page: PageArguments) =>
      connection(thread.comments, page, (comment) => commentNode(thread, comment)),
  };
}

function commentNode(thread: FakeThread, comment: FakeComment) {
  return {
    fullDatabaseId: String(comment.id),
    state: thread.review.state === 'pending' ? 'PENDING' : 'SUBMITTED',
    body: comment.body,
    createdAt: comment.createdAt.toISOString(),
    updatedAt: comment.updatedAt.toISOString(),
    url: `https://github.example/comments/${comment.id}`,
    originalCommit: { oid: thread.commit },
    author: actor(comment.author),
    reactions: ({ content, first }: PageArguments & { content: string }) =>
      connection(
        comment.reactions.filter(({ emoji }) => emoji === '👎' && content === 'THUMBS_DOWN'),
        { first },
        ({ account }) => ({ user: account.bot ? null : actor(account) }),
      ),
  };
}

function actor({ bot, id, login, name }: FakeAccount) {
  return bot
    ? { __typename: 'Bot', databaseId: id, login: login.replace(/\[bot\]$/, '') }
    : { __typename: 'User', databaseId: id, login, name };
}
