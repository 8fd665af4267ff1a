/** For tests: the facts of one extractor as short lines, such as `provides npm:react @3 ^19 dev`. */
import { extractFacts } from '../extract-facts.ts';
import type { Extractor } from '../extractor.ts';

export async function describeFacts(extractor: Extractor, path: string, text: string): Promise<string[]> {
  const { facts } = await extractFacts({ path, text }, [extractor]);
  return facts.map(({ detail, line, name, role }) =>
    [role, name, `@${line}`, detail].filter(Boolean).join(' '),
  );
}

/** The same without lines and details. */
export async function nameFacts(extractor: Extractor, path: string, text: string): Promise<string[]> {
  const { facts } = await extractFacts({ path, text }, [extractor]);
  return facts.map(({ name, role }) => (role === 'provides' ? name : `uses ${name}`));
}
