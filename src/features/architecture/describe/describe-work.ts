/** Turning the facts of a repository into rows: slow for large repositories. Pure, so it can run in any thread. */
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
  overview: Overview;
}

function describe(code: CodeToDescribe): Description {
  const { activity, facts, files, folders, languages, leftOut } = code.facts;
  const parts = findParts(facts);
  const stored = factRows(facts, parts);
  return {
    summaries: summarize(code).map((summary) => summaryRow(code.name, summary)),
    facts: stored.rows,
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
      ],
    },
  };
}

export const DESCRIBE_WORK = { describe };
