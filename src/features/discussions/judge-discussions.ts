/**
 * Where discussions are at another commit, and whether the code there answers them. Reads code and computes; writes nothing.
 */
import type { AnsweringHunk, OtherHunk, ReviewThread } from '../../engines/addressed/index.ts';
import { createDiscussionThread } from '../../engines/discussion-work/index.ts';
import type { PortedPlace } from '../../engines/positions/index.ts';
import { maskTexts } from '../../engines/review/index.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import type { ChangedLines, FileHunks, FileText } from '../../platform/core/ports/code-differences.ts';
import type { CodeReader } from '../../platform/core/ports/code-reader.ts';
import type { Call } from '../../platform/core/work/fair-queue.ts';
import type { NodeState } from '../../platform/core/work/node-state.ts';
import type { CommentRow, DiscussionRow } from './discussion-store.ts';
import { saidAt } from './follow-from.ts';
import type { Judgement } from './record-judgement.ts';

export interface Place {
  commit: string;
  file: string;
  startLine: number;
  endLine: number;
}

export interface DiscussionToJudge {
  discussion: Pick<DiscussionRow, 'id' | 'side' | 'commented_code'>;
  comments: CommentRow[];
  /** The commented lines. */
  commented: Place;
  /** Changes are judged from here: the commented lines, or where they were at a later head. */
  base: Place;
  /** Objections up to this time are about earlier heads. */
  after: Date | null;
  /** Whether it matters that the code answers it. */
  judge: boolean;
}

export interface Judged {
  position: PortedPlace;
  judgement: Omit<Judgement, 'commit'> | null;
}

/** Larger files are not compared: it can take seconds for each discussion. People judge what was said about them. */
const MAX_FILE_CHARACTERS = 256 * 1024;
const MAX_FILE_LINES = 20_000;
const MAX_BATCH_BYTES = 32 * 1024 * 1024;
const FILES_AT_ONCE = 40;
/** Each takes about a second at worst. */
const DISCUSSIONS_AT_ONCE = 10;
/** Changes in other files that may answer a discussion; generated changes have many more. */
const MAX_OTHER_HUNKS = 300;
const MAX_OTHER_LINES = 60;
const MAX_OTHER_CHARACTERS = 100_000;

export interface CodeOfRepository {
  state: Pick<NodeState<unknown>, 'of'>;
  code: Pick<CodeReader, 'compare' | 'readTexts'>;
  repositoryId: string;
  call: Call;
}

/** The commits to follow discussions to: the head, and what it is compared with for comments on removed lines. */
export interface Targets {
  new: string;
  old: string | null;
}

/** Discussions whose commit the repository no longer has are left out. */
export async function judgeDiscussions(
  source: CodeOfRepository,
  discussions: readonly DiscussionToJudge[],
  targets: Targets,
): Promise<Map<string, Judged>> {
  const judged = new Map<string, Judged>();
  const byPlace = Map.groupBy(
    discussions.filter(({ discussion }) => targets[discussion.side] !== null),
    ({ commented, discussion }) => `${commented.commit} ${targets[discussion.side]}`,
  );
  for (const group of byPlace.values()) {
    const to = targets[group[0]!.discussion.side]!;
    const places = group.map(({ commented, discussion }) => ({
      ...commented,
      // Masked, which is enough to see how many lines there are and which of them say nothing.
      code: discussion.commented_code,
    }));
    const changes = await changesTo(source, places, to);
    if (!changes) continue;
    const positions = await source.state
      .of(createDiscussionThread)
      .run(source.call, 'portPlaces', places, changes);
    for (const [index, { discussion }] of group.entries()) {
      judged.set(discussion.id, { position: positions[index]!, judgement: null });
    }
  }
  const toJudge = discussions.filter(
    ({ base, comments, discussion, judge }) =>
      judge &&
      comments.length > 0 &&
      discussion.side === 'new' &&
      base.commit !== targets.new &&
      judged.has(discussion.id),
  );
  for (const group of Map.groupBy(toJudge, ({ base }) => base.commit).values()) {
    const places = group.map(({ base }) => base);
    const changes = await changesTo(source, places, targets.new);
    if (changes) await judgeGroup(source, group, changes, targets.new, judged);
  }
  return judged;
}

/** All places are in one commit. Null if the repository no longer has it. */
async function changesTo(
  { call, code, repositoryId }: CodeOfRepository,
  places: readonly Place[],
  to: string,
): Promise<FileHunks[] | null> {
  const { commit: from } = places[0]!;
  if (from === to) return [];
  const paths = [...new Set(places.map(({ file }) => file))];
  try {
    return await code.compare('hunks', repositoryId, { from, to, paths }, call);
  } catch (error) {
    if (error instanceof Problem && error.code === 'ref_not_found') return null;
    throw error;
  }
}

/** In batches of files, so that memory stays bounded. */
async function judgeGroup(
  { call, code, repositoryId, state }: CodeOfRepository,
  discussions: readonly DiscussionToJudge[],
  changes: FileHunks[],
  to: string,
  judged: Map<string, Judged>,
): Promise<void> {
  const byFile = [...Map.groupBy(discussions, ({ base }) => base.file)];
  for (let start = 0; start < byFile.length; start += FILES_AT_ONCE) {
    const batch = byFile.slice(start, start + FILES_AT_ONCE).map(([file, members]) => ({
      file,
      members,
      now: changes.find(({ oldPath }) => oldPath === file)?.path ?? file,
    }));
    const files = batch.flatMap(({ file, members, now }) => [
      { commit: members[0]!.base.commit, path: file },
      { commit: to, path: now },
    ]);
    const read = await code.readTexts(repositoryId, { files, maxBytes: MAX_BATCH_BYTES }, call);
    for (const [index, { file, members }] of batch.entries()) {
      const [before, now] = [read[index * 2]!, read[index * 2 + 1]!];
      if (before.kind !== 'text' || isTooLarge(before) || isTooLarge(now)) continue;
      const otherHunks = hunksElsewhere(changes, file);
      // A file that was deleted, or is no longer text, has nothing left of it.
      const after = now.kind === 'text' ? now.text : '';
      for (let first = 0; first < members.length; first += DISCUSSIONS_AT_ONCE) {
        const some = members.slice(first, first + DISCUSSIONS_AT_ONCE);
        const threads = some.map((each) => threadOf(each, before.text));
        const texts = { before: before.text, after, otherHunks };
        const judgements = await state.of(createDiscussionThread).run(call, 'judgeThreads', texts, threads);
        // They quote code and comments.
        const reasons = await maskTexts(judgements.map(({ reason }) => reason));
        for (const [at, { hunks, ...judgement }] of judgements.entries()) {
          judged.get(some[at]!.discussion.id)!.judgement = {
            ...judgement,
            reason: reasons[at]!,
            hunks: hunks.map(presentHunk),
          };
        }
      }
    }
  }
}

/** A discussion as the judge reads it, without the texts of its file. */
function threadOf(
  { after: since, base, comments }: DiscussionToJudge,
  before: string,
): Omit<ReviewThread, 'before' | 'after' | 'otherHunks'> {
  const [opening, ...replies] = comments;
  const { endLine, file, startLine } = base;
  return {
    comment: opening!.body,
    replies: replies.map((reply) => ({
      body: reply.body,
      isPerson: reply.author_kind === 'person' && (since === null || saidAt(reply) > since),
    })),
    file,
    startLine,
    endLine,
    // As it is in the commit: what is stored is masked.
    commentedCode:
      startLine === 0
        ? ''
        : before
            .split('\n')
            .slice(startLine - 1, endLine)
            .join('\n'),
  };
}

function presentHunk(hunk: AnsweringHunk) {
  return {
    file: hunk.file,
    oldStart: hunk.beforeStart,
    oldLines: hunk.beforeEnd - hunk.beforeStart + 1,
    newStart: hunk.afterStart,
    newLines: hunk.afterEnd - hunk.afterStart + 1,
  };
}

function isTooLarge(read: FileText): boolean {
  if (read.kind !== 'text') return read.kind === 'too_large';
  return (
    read.text.length > MAX_FILE_CHARACTERS ||
    read.text.split('\n', MAX_FILE_LINES + 1).length > MAX_FILE_LINES
  );
}

function hunksElsewhere(changes: FileHunks[], file: string): OtherHunk[] {
  const hunks: OtherHunk[] = [];
  let characters = 0;
  for (const { hunks: changed, oldPath, path } of changes) {
    if (path === null || oldPath === file || path === file) continue;
    for (const hunk of changed) {
      const other = otherHunk(path, hunk);
      characters += [...other.before, ...other.after].reduce((sum, line) => sum + line.length, 0);
      if (hunks.length >= MAX_OTHER_HUNKS || characters > MAX_OTHER_CHARACTERS) return hunks;
      hunks.push(other);
    }
  }
  return hunks;
}

function otherHunk(file: string, { added, newStart, removed }: ChangedLines): OtherHunk {
  return {
    file,
    startLine: newStart,
    before: removed.slice(0, MAX_OTHER_LINES),
    after: added.slice(0, MAX_OTHER_LINES),
  };
}
