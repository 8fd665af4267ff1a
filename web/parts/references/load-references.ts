/** Resolves references in texts: all that are asked for at about the same time in one request. */
import { type CallOutput, call } from '../../api/client.ts';

export type ResolvedReference = CallOutput<'resolve-references'>['references'][number];

/** The service takes as many at once. */
const MAX_AT_ONCE = 100;
/** Long enough for the texts of a page, which are parsed one after the other. */
const GATHER_MS = 30;

interface Waiting {
  reference: string;
  resolve(found: ResolvedReference | null): void;
  reject(error: unknown): void;
}

/** By repository. */
const gathered = new Map<string, Waiting[]>();

/** Null if it refers to nothing that the reader can see. */
export function loadReference(
  repositoryId: string | null,
  reference: string,
): Promise<ResolvedReference | null> {
  return new Promise((resolve, reject) => {
    const key = repositoryId ?? '';
    const waiting = gathered.get(key) ?? [];
    if (waiting.length === 0) {
      gathered.set(key, waiting);
      setTimeout(() => {
        gathered.delete(key);
        for (let from = 0; from < waiting.length; from += MAX_AT_ONCE)
          void send(repositoryId, waiting.slice(from, from + MAX_AT_ONCE));
      }, GATHER_MS);
    }
    waiting.push({ reference, resolve, reject });
  });
}

async function send(repositoryId: string | null, waiting: Waiting[]): Promise<void> {
  try {
    const { references } = await call('resolve-references', {
      ...(repositoryId !== null && { repositoryId }),
      references: waiting.map(({ reference }) => reference),
    });
    const found = new Map(references.map((one) => [one.reference, one]));
    for (const { reference, resolve } of waiting) resolve(found.get(reference) ?? null);
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}
