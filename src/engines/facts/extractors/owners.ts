/** The rules of a CODEOWNERS file. */
import { dialectOf, readOwners } from '../../owners/index.ts';
import type { Extractor } from '../extractor.ts';
import { FactList } from './fact-list.ts';

const PATH = /^(?:(?:\.github|\.gitlab|\.gitea|\.forgejo|docs)\/)?CODEOWNERS$/;

export const owners: Extractor = {
  name: 'owners',
  accepts: (path) => PATH.test(path),
  extract(file) {
    const facts = new FactList(2000);
    const { sections } = readOwners(dialectOf(file.path, file.text), file.text);
    for (const { line, negated, owners: named, pattern } of sections.flatMap(({ rules }) => rules))
      facts.add({
        kind: 'owner',
        role: 'provides',
        name: `${negated ? '!' : ''}${pattern.replaceAll('\\ ', ' ')}`,
        line,
        detail: named
          .map(({ kind, name }) => `${kind === 'email' ? '' : kind === 'role' ? '@@' : '@'}${name}`)
          .join(' '),
      });
    return facts.facts;
  },
};
