/** The rules of a CODEOWNERS file. */
import type { Extractor } from '../extractor.ts';
import { FactList } from './fact-list.ts';

const PATH = /^(?:(?:\.github|\.gitlab|docs)\/)?CODEOWNERS$/;

export const owners: Extractor = {
  name: 'owners',
  accepts: (path) => PATH.test(path),
  extract(file) {
    const facts = new FactList(2000);
    let sectionOwners = '';
    for (const [index, raw] of file.text.split('\n').entries()) {
      const line = raw
        .slice(0, 1000)
        .replace(/(?:^|\s)#.*$/, '')
        .trim();
      if (line === '') continue;
      // A section of GitLab, whose owners hold for patterns without any.
      const section = /^\^?\[[^\]]{1,200}\](?:\[\d{1,3}\])?(.{0,600})$/.exec(line);
      if (section) {
        sectionOwners = section[1]!.trim();
        continue;
      }
      const [pattern, ...names] = line.split(/(?<!\\)\s+/);
      const detail = names.join(' ') || sectionOwners;
      facts.add({
        kind: 'owner',
        role: 'provides',
        name: pattern!.replaceAll('\\ ', ' '),
        line: index + 1,
        detail,
      });
    }
    return facts.facts;
  },
};
