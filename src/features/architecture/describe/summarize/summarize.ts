/** Turns the facts of a commit into summaries, one for each domain that the code has something in. Pure. */
import { DOMAINS, type Domain } from '../../contract.ts';
import type { Sentence, Summary } from '../summary-row.ts';
import { type CodeToDescribe, type DescribedCode, readCode } from './described-code.ts';
import { describeApi } from './domains/api.ts';
import { describeAuth } from './domains/auth.ts';
import { describeBusinessLogic } from './domains/business-logic.ts';
import { describeCli } from './domains/cli.ts';
import { describeData } from './domains/data.ts';
import { describeEvents } from './domains/events.ts';
import { describeInfrastructure } from './domains/infrastructure.ts';
import { describeLibrary } from './domains/library.ts';
import { describeTests } from './domains/tests.ts';
import { describeUi } from './domains/ui.ts';
import { readReadme } from './read-readme.ts';

/** Longer summaries are cut after a sentence. */
export const MAX_SUMMARY_CHARACTERS = 5000;

const DESCRIBE: Record<Domain, (code: DescribedCode) => (Sentence | null)[]> = {
  API: describeApi,
  BUSINESS_LOGIC: describeBusinessLogic,
  DATA: describeData,
  EVENTS: describeEvents,
  AUTH: describeAuth,
  INFRASTRUCTURE: describeInfrastructure,
  UI: describeUi,
  CLI: describeCli,
  LIBRARY: describeLibrary,
  TESTS: describeTests,
};

/** Other documents in the root say how to contribute, or what agents must do. */
const ABOUT_FILE = /^(?:readme|index|overview|about|introduction)\b[^/]*$/i;

export function summarize(given: CodeToDescribe): Summary[] {
  const code = readCode(given);
  const lead = leadOf(code);
  return DOMAINS.flatMap((domain) => {
    const sentences = DESCRIBE[domain](code).filter((sentence) => sentence !== null);
    // Every repository has this one, so that it can be found by what it is.
    if (sentences.length === 0 && !(domain === 'BUSINESS_LOGIC' && lead.length > 0)) return [];
    return [{ domain, sentences: withinLimit([...lead, ...sentences]) }];
  });
}

/** Every summary begins by saying what the repository is, so that each can be understood on its own. */
function leadOf({ facts, readme, shortName }: DescribedCode): Sentence[] {
  const { description } = readReadme(readme);
  if (description) {
    return [
      { text: `${shortName}: ${ended(description.text)}`, evidence: [description.place], isMain: true },
    ];
  }
  const heading = facts.facts.find(
    ({ detail, kind, path }) => kind === 'heading' && ABOUT_FILE.test(path) && detail,
  );
  if (!heading) return [];
  const { detail, line, path } = heading;
  return [{ text: `${shortName}: ${ended(detail!)}`, evidence: [{ path, line }], isMain: true }];
}

const ended = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

function withinLimit(sentences: Sentence[]): Sentence[] {
  let characters = 0;
  return sentences.filter(({ text }) => {
    characters += text.length + 1;
    return characters <= MAX_SUMMARY_CHARACTERS;
  });
}
