/** The CLI domain: programs that can be started, and their commands. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { COMMAND_LINES, findKnown } from '../known-software.ts';
import { type Listed, listSentence } from '../write-sentence.ts';
import { subjectsOf } from './business-logic.ts';

const COMMAND_PATH = /(?:^|\/)(?:cmd|cli|commands?|console|bin)\//i;

export function describeCli(code: DescribedCode): (Sentence | null)[] {
  const programs = code.of('entry_point').map((fact): [string, Listed] => {
    // The instructions of a container file are one way to start it.
    const name = fact.name.replace(/^docker (?:CMD|ENTRYPOINT)$/, 'Docker');
    const text = `${name} (\`${fact.path}\`)`;
    return [text, { text, place: fact }];
  });
  const commands = code.sources.filter((path) => COMMAND_PATH.test(path));
  return [
    listSentence('It can be started with ', [...new Map(programs).values()], { maxItems: 20 }),
    listSentence('The command line is built with ', findKnown(code, COMMAND_LINES)),
    listSentence('Its commands are about ', subjectsOf(commands, code), { maxItems: 40 }),
  ];
}
