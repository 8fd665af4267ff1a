/** Why nothing can be pushed to a repository of plain git, as far as that is known before a push. Pure. */
import type { z } from 'zod';
import { parseRemote } from '../../engines/git/index.ts';
import type { PushProblem } from './contract.ts';

export interface PushFacts {
  url: string | null;
  credential_kind: 'none' | 'password' | 'ssh_key';
  /** With the present credential and address. */
  push_refused_at: Date | null;
}

export function pushProblem(facts: PushFacts | undefined): z.input<typeof PushProblem> | null {
  if (!facts || facts.url === null) return null;
  const address = parseRemote(facts.url).kind;
  if (address === 'git') return { reason: 'no_credential', address };
  if (facts.credential_kind === 'none' && address !== 'local') return { reason: 'no_credential', address };
  return facts.push_refused_at === null ? null : { reason: 'refused', address };
}
