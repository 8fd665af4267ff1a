/**
 * Where discussions are at another commit, and whether the code there answers them. Reads code and computes; writes nothing.
 *
 * A discussion is followed from its base: the commit that was commented on, or, after a person reopened it, the head of that
 * time, because only later commits count then.
 */
import { type AnsweringHunk, judgeAddressed, type OtherHunk } from '../../engines/addressed/index.ts';
import { type PortedPlace, portPlaces } from '../../engines/positions/index.ts';
import type { ChangedLines, FileHunks, FileText } from '../../platform/core/code-differences.ts';
import type { CodeReader } from '../../platform/core/code-reader.ts';
import type { Call } from '../../platform/core/fair-queue.ts';
import type { CommentRow, DiscussionRow } from './discussion-store.ts';
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
  base: Place;
  /** Whether it matters that the code answers it. */
  judge: boolean;
}

export interface Judged {
  position: PortedPlace;
  judgement: Omit<Judgement, 'commit'> | null;
}

/** Files up to this size are compared; reviews of larger ones are read by people. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BATCH_BYTES = 32 * 1024 * 1024;
const FILES_AT_ONCE = 40;
/** Changes in other files that may answer a discussion; generated changes have many more. */
const MAX_OTHER_HUNKS = 300;
const MAX_OTHER_LINES = 60;

export interface CodeOfRepository {
  code: Pick<CodeReader, 'compare' | 'readTexts'>;
  repositoryId: string;
  call: Call;
}

export async function judgeDiscussions(
  source: CodeOfRepository,
  discussions: readonly DiscussionToJudge[],
  to: string,
): Promise<Map<string, Judged>> {
  const judged = new Map<string, Judged>();
  const byBase = Map.groupBy(discussions, ({ base }) => base.commit);
  for (const [from, group] of byBase) {
    const paths = [...new Set(group.map(({ base }) => base.file))];
    const changes =
      from === to
        ? []
        : await source.code.compare('hunks', source.repositoryId, { from, to, paths }, source.call);
    const places = group.map(({ base, discussion }) => ({ ...base, code: discussion.commented_code }));
    const positions = portPlaces(places, changes);
    const ported = group.map((each, index) => ({ each, position: positions[index]! }));
    for (const { each, position } of ported) judged.set(each.discussion.id, { position, judgement: null });
    if (from !== to) await judgeGroup(source, ported, changes, to, judged);
  }
  return judged;
}

/** In batches of files, so that memory stays bounded. */
async function judgeGroup(
  { call, code, repositoryId }: CodeOfRepository,
  ported: { each: DiscussionToJudge; position: PortedPlace }[],
  changes: FileHunks[],
  to: string,
  judged: Map<string, Judged>,
): Promise<void> {
  const wanted = ported.filter(({ each }) => each.judge && each.discussion.side === 'new');
  const byFile = [...Map.groupBy(wanted, ({ each }) => each.base.file)];
  for (let start = 0; start < byFile.length; start += FILES_AT_ONCE) {
    const batch = byFile.slice(start, start + FILES_AT_ONCE).map(([file, members]) => ({
      file,
      members,
      now: changes.find(({ oldPath }) => oldPath === file)?.path ?? file,
    }));
    const files = batch.flatMap(({ file, members, now }) => [
      { commit: members[0]!.each.base.commit, path: file },
      { commit: to, path: now },
    ]);
    const texts = await code.readTexts(repositoryId, { files, maxBytes: MAX_BATCH_BYTES }, call);
    for (const [index, { file, members }] of batch.entries()) {
      const [before, after] = [textOf(texts[index * 2]), textOf(texts[index * 2 + 1])];
      if (before === null) continue;
      const otherHunks = hunksElsewhere(changes, file);
      for (const { each, position } of members) {
        const [opening, ...replies] = each.comments;
        if (!opening) continue;
        const { endLine, startLine } = each.base;
        const { hunks, ...judgement } = judgeAddressed({
          comment: opening.body,
          replies: replies.map(({ author_kind, body }) => ({ body, isPerson: author_kind === 'person' })),
          file,
          startLine,
          endLine,
          commentedCode: each.discussion.commented_code,
          before,
          // A file that was deleted, or is no longer text, has nothing left of it.
          after: after ?? '',
          otherHunks,
        });
        judged.set(each.discussion.id, {
          position,
          judgement: { ...judgement, hunks: hunks.map(presentHunk) },
        });
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    }
  }
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

function textOf(read: FileText | undefined): string | null {
  return read?.kind === 'text' && read.text.length <= MAX_FILE_BYTES ? read.text : null;
}

function hunksElsewhere(changes: FileHunks[], file: string): OtherHunk[] {
  const hunks: OtherHunk[] = [];
  for (const { hunks: changed, oldPath, path } of changes) {
    if (path === null || oldPath === file || path === file) continue;
    for (const hunk of changed) {
      if (hunks.length >= MAX_OTHER_HUNKS) return hunks;
      hunks.push(otherHunk(path, hunk));
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
