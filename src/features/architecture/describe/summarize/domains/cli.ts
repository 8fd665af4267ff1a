/** The CLI domain: programs that can be started, and their commands. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isTool } from '../kinds-of-paths.ts';
import { COMMAND_LINES, findKnown } from '../known-software.ts';
import { type Listed, someSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

const DJANGO_COMMAND = /(?:^|\/)management\/commands\/(?!_)([^/]+)\.py$/;

/** A generator inside of another program, or a library. */
const NO_PROGRAM =
  /(?:^|\/)(?:internal|generate|demos?|test-resources?|puppet)\/|\/lib\.rs$|\/generate[^/]*$/i;
/** Elsewhere a function with this name starts nothing. */
const RUST_PROGRAM = /(?:^|\/)src\/(?:main\.rs|bin\/[^/]+(?:\/main)?\.rs)$/;
/** Other files of Python can be started too, to try them out. */
const PYTHON_PROGRAM =
  /(?:^|\/)(?:__main__|main|manage|cli|app|run\w*|serve\w*|start\w*|\w*worker|bot|daemon)\.py$|^[^/]+\.py$/;
const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|Cargo\.toml)$/;
const MAX_COMMAND_CHARACTERS = 100;

export function describeCli(code: DescribedCode): (Sentence | null)[] {
  const facts = code
    .of('entry_point')
    .filter(({ path }) => !isTool(path) && !NO_PROGRAM.test(path))
    .toSorted((left, right) => depthOf(left.path) - depthOf(right.path));
  const files = facts.filter(
    ({ name, path }) =>
      /^(?:main|__main__)$/i.test(name) &&
      (!path.endsWith('.rs') || RUST_PROGRAM.test(path)) &&
      (!path.endsWith('.py') || PYTHON_PROGRAM.test(path)),
  );
  const commands = facts.filter(({ name, path }) => MANIFEST.test(path) && name !== 'npm start');
  const processes = facts.filter(({ name, path }) => path === 'Procfile' && name !== 'release');
  const django = code.sources.flatMap((path): Listed[] => {
    const name = DJANGO_COMMAND.exec(path)?.[1];
    return name === undefined ? [] : [{ text: name, place: { path, line: 1 } }];
  });
  return [
    someSentence('Its manifests name commands such as ', distinct(commands)),
    someSentence('Programs start in files such as ', distinct(files.map(asFile))),
    someSentence('Its Procfile has processes such as ', distinct(processes)),
    commandSentence(
      '`npm start` runs ',
      facts,
      ({ name, path }) => name === 'npm start' && path === 'package.json',
    ),
    commandSentence(
      'The image of `Dockerfile` starts with ',
      facts,
      ({ name, path }) => path === 'Dockerfile' && name === 'docker ENTRYPOINT',
    ) ??
      commandSentence(
        'The image of `Dockerfile` starts with ',
        facts,
        ({ name, path }) => path === 'Dockerfile' && name === 'docker CMD',
      ),
    someSentence('For its command line it depends on ', findKnown(code, COMMAND_LINES)),
    someSentence('It has Django commands such as ', django),
  ];
}

const asFile = (fact: PlacedFact): PlacedFact => ({ ...fact, name: `\`${fact.path}\`` });

function commandSentence(
  before: string,
  facts: readonly PlacedFact[],
  isMeant: (fact: PlacedFact) => boolean,
): Sentence | null {
  const [fact, other] = facts.filter(isMeant);
  const command = fact?.detail?.trim();
  // A command that goes on in the next line isn't whole.
  if (
    !fact ||
    other ||
    !command ||
    command.length > MAX_COMMAND_CHARACTERS ||
    /[\\`[,]$|^\[?"?(?:\/\S*\/)?(?:tini|dumb-init)\b/.test(command)
  )
    return null;
  return someSentence(before, [{ text: `\`${command}\``, place: fact }]);
}

const depthOf = (path: string) => path.split('/').length;
