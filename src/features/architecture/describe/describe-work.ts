/** Turning the facts of a repository into rows: slow for large repositories. Pure, so it can run in any thread. */
import { type CodeWord, codeWords, MAX_CODE_WORDS } from './code-words.ts';
import type { Overview } from './describe-store.ts';
import { type FactRow, factRows, MAX_STORED_FACTS } from './fact-row.ts';
import type { CodeToDescribe } from './summarize/described-code.ts';
import { findParts } from './summarize/find-parts.ts';
import { summarize } from './summarize/summarize.ts';
import { summaryRow } from './summary-row.ts';
import type { SummaryRow } from './summary-store.ts';

const MAX_LISTED = 50;
const MAX_PARTS_SHOWN = 200;

export interface Description {
  summaries: SummaryRow[];
  facts: FactRow[];
  words: CodeWord[];
  overview: Overview;
}

function describe(code: CodeToDescribe): Description {
  const { activity, facts, files, folders, languages, leftOut } = code.facts;
  const parts = findParts(facts);
  const stored = factRows(facts, parts);
  const summaries = summarize(code).map((summary) => summaryRow(code.name, summary));
  const words = codeWords(code, summaries);
  return {
    summaries,
    facts: stored.rows,
    words,
    overview: {
      files,
      languages: languages.slice(0, MAX_LISTED),
      folders: folders.slice(0, MAX_LISTED),
      activity: {
        folders: activity.folders.slice(0, MAX_LISTED),
        people: activity.people.slice(0, MAX_LISTED),
      },
      parts: parts.toSorted().slice(0, MAX_PARTS_SHOWN),
      leftOut: [
        ...leftOut.slice(0, MAX_LISTED),
        ...(stored.leftOut > 0
          ? [`${stored.leftOut} facts were not kept: a repository has at most ${MAX_STORED_FACTS}`]
          : []),
        ...(words.length === MAX_CODE_WORDS
          ? [`Only ${MAX_CODE_WORDS} words of the code are searched when repositories are looked for`]
          : []),
      ],
    },
  };
}

export const DESCRIBE_WORK = { describe };
