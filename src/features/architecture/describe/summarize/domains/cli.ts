/** The CLI domain: programs that can be started, and their commands. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { folderOf } from '../find-parts.ts';
import { isTool } from '../kinds-of-paths.ts';
import { COMMAND_LINES, findKnown } from '../known-software.ts';
import { type Listed, listSentence, someSentence } from '../write-sentence.ts';

const DJANGO_COMMAND = /(?:^|\/)management\/commands\/(?!_)([^/]+)\.py$/;

/** A generator inside of another program, or a library. */
const NO_PROGRAM =
  /(?:^|\/)(?:internal|generate|demos?|test-resources?|puppet)\/|\/lib\.rs$|\/generate[^/]*$/i;

export function describeCli(code: DescribedCode): (Sentence | null)[] {
  const programs = new Map<string, Listed>();
  const images: Listed[] = [];
  const facts = code.of('entry_point').filter(({ path }) => !isTool(path) && !NO_PROGRAM.test(path));
  const crates = facts.flatMap(({ path }) =>
    /(?:^|\/)Cargo\.toml$/.test(path) ? [`${folderOf(path)}/src/`] : [],
  );
  for (const fact of facts.toSorted((left, right) => depthOf(left.path) - depthOf(right.path))) {
    // A crate that names its program.
    if (fact.name === 'main' && crates.some((folder) => fact.path.startsWith(folder))) continue;
    const isDocker = /^docker (?:CMD|ENTRYPOINT)$/.test(fact.name);
    if (isDocker) {
      images.push({ text: `\`${fact.path}\``, place: fact });
      continue;
    }
    // A process that prepares a release starts nothing.
    if (fact.name === 'release') continue;
    const text = /^(?:main|__main__)$/.test(fact.name) ? programOf(fact.path, code.shortName) : fact.name;
    if (!programs.has(text)) programs.set(text, { text: `${text} (\`${fact.path}\`)`, place: fact });
  }
  const commands = code.sources.flatMap((path): Listed[] => {
    const name = DJANGO_COMMAND.exec(path)?.[1];
    return name === undefined ? [] : [{ text: name, place: { path, line: 1 } }];
  });
  return [
    someSentence('Programs in its code include ', [...programs.values()]),
    // A second file is a variant.
    someSentence('It can be started with Docker: ', images.slice(0, 1)),
    listSentence('The command line is built with ', findKnown(code, COMMAND_LINES)),
    listSentence('It has the Django commands ', commands, {
      some: `It has ${commands.length} Django commands, among them `,
    }),
  ];
}

/** `cmd/shop/main.go` and `shop/src/main.rs` are the program `shop`. */
function programOf(path: string, repository: string): string {
  const segments = path.replace(/\.\w+$/, '').split('/');
  const name = segments.findLast((segment) => !/^(?:main|__main__|src|app|bin|cmd)$/.test(segment));
  return name ?? repository;
}

const depthOf = (path: string) => path.split('/').length;
