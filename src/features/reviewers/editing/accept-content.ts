/** Checks what a version of a reviewer says, beyond its shape: rules, and the repositories it applies to. */
import { checkWithAstGrep } from '../../../engines/review/index.ts';
import { type FieldError, invalidRequest } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, selectRepositoriesById } from '../../repositories/index.ts';
import type { ReviewerContent, ReviewerKind } from '../contract.ts';
import { checkRules } from '../files/check-rules.ts';

interface SentContent {
  title: string;
  description?: string | undefined;
  kind: ReviewerKind;
  body: string;
  scopes?: { repoId?: string | undefined; paths?: string[] | undefined }[] | undefined;
}

/** For ast-grep to read the rules. */
const MAX_CHECK_MS = 10_000;
const EVERYWHERE = { repositoryId: null, paths: [] };

/** A refusal lists every problem. */
export async function acceptContent(db: Db, reader: Reader, sent: SentContent): Promise<ReviewerContent> {
  const scopes = (sent.scopes ?? []).map(({ paths = [], repoId = null }) => ({
    repositoryId: repoId,
    paths: [...new Set(paths)],
  }));
  const errors = [
    ...(sent.kind === 'rules' ? await ruleErrors(sent.body) : []),
    ...(await scopeErrors(db, reader, scopes)),
  ];
  if (errors.length > 0) throw invalidRequest(errors);
  return {
    title: sent.title.trim(),
    description: sent.description ?? '',
    kind: sent.kind,
    body: sent.body,
    scopes: scopes.length === 0 ? [EVERYWHERE] : scopes,
  };
}

/** First their shape; ast-grep itself then knows languages, kinds of nodes and patterns. */
export async function ruleErrors(rules: string, path = 'body'): Promise<FieldError[]> {
  const mistakes = checkRules(rules);
  const found =
    mistakes.length > 0 ? mistakes : await checkWithAstGrep(rules, AbortSignal.timeout(MAX_CHECK_MS));
  return found.map(({ column, line, message }) => ({
    path,
    message: `line ${line}, column ${column}: ${message}`,
  }));
}

async function scopeErrors(db: Db, reader: Reader, scopes: ReviewerContent['scopes']): Promise<FieldError[]> {
  const ids = scopes.flatMap(({ repositoryId }) => repositoryId ?? []);
  const known = new Set((await selectRepositoriesById(db, reader, ids)).map(({ id }) => id));
  const seen = new Set<string | null>();
  return scopes.flatMap(({ repositoryId }, index) => {
    const path = `scopes[${index}].repoId`;
    const isRepeated = seen.has(repositoryId);
    seen.add(repositoryId);
    if (isRepeated) return [{ path, message: 'must not be in another scope too' }];
    if (repositoryId !== null && !known.has(repositoryId))
      return [{ path, message: 'is not a known repository' }];
    return [];
  });
}
