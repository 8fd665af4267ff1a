/** Stands beside the summaries of a repository: languages, parts, contracts, owners, activity, and what was left out. */
import type { ReactNode } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { formatNumber } from '../../components/format-number.ts';
import { inOneLine } from '../code/marked-text.tsx';
import { PlaceLink } from '../code/place-link.tsx';

export type Architecture = CallOutput<'get-architecture'>;

const SHOWN = 8;

export function RepositoryOverview({ architecture }: { architecture: Architecture }) {
  const { activity, contracts, languages, leftOut, owners, parts } = architecture;
  return (
    <aside aria-label="Overview" className="grid content-start gap-6 text-sm">
      <Facts title="Languages" total={languages.length}>
        {languages.slice(0, SHOWN).map(({ language, lines }) => (
          <Row
            key={language}
            name={language}
            amount={`${formatNumber(lines)} ${lines === 1 ? 'line' : 'lines'}`}
          />
        ))}
      </Facts>
      <Facts title="Parts" total={parts.length}>
        {parts.slice(0, SHOWN).map((part) => (
          <li key={part} className="font-mono text-xs wrap-anywhere">
            {inOneLine(part)}
          </li>
        ))}
      </Facts>
      <Facts title="Contracts" total={contracts.length}>
        {contracts.slice(0, SHOWN).map((contract) => (
          <Placed key={`${contract.name} ${contract.path}`} architecture={architecture} {...contract} />
        ))}
      </Facts>
      <Facts title="Owners" total={owners.length}>
        {owners.slice(0, SHOWN).map((owner) => (
          <Placed key={`${owner.name} ${owner.line}`} architecture={architecture} {...owner} />
        ))}
      </Facts>
      <Facts title="Busiest folders, last year" total={activity.folders.length}>
        {activity.folders.slice(0, SHOWN).map(({ commits, path }) => (
          <Row key={path} name={path} amount={`${commits} ${commits === 1 ? 'commit' : 'commits'}`} />
        ))}
      </Facts>
      <Facts title="Most active people, last year" total={activity.people.length}>
        {activity.people.slice(0, SHOWN).map(({ commits, name }) => (
          <Row key={name} name={name} amount={`${commits} ${commits === 1 ? 'commit' : 'commits'}`} />
        ))}
      </Facts>
      <Facts title="Left out" total={leftOut.length}>
        {leftOut.slice(0, SHOWN).map((clause) => (
          <li key={clause} className="text-quiet wrap-anywhere">
            {clause}
          </li>
        ))}
      </Facts>
    </aside>
  );
}

function Facts({ title, total, children }: { title: string; total: number; children: ReactNode }) {
  if (total === 0) return null;
  return (
    <section>
      <h2 className="mb-1 font-semibold">{title}</h2>
      <ul className="grid gap-1">{children}</ul>
      {total > SHOWN && <p className="mt-1 text-xs text-quiet">{total - SHOWN} more</p>}
    </section>
  );
}

function Row({ amount, name }: { name: string; amount: string }) {
  return (
    <li className="flex justify-between gap-3">
      <span className="min-w-0 wrap-anywhere">{inOneLine(name)}</span>
      <span className="whitespace-nowrap text-quiet">{amount}</span>
    </li>
  );
}

function Placed(props: {
  architecture: Architecture;
  name: string;
  detail: string | null;
  path: string;
  line: number;
}) {
  const { architecture, detail, line, name, path } = props;
  return (
    <li className="min-w-0">
      <span className="font-mono text-xs wrap-anywhere">{inOneLine(name)}</span>
      {detail && <span className="block text-xs wrap-anywhere text-quiet">{inOneLine(detail)}</span>}
      <PlaceLink repoId={architecture.repoId} commit={architecture.commit!} path={path} line={line} />
    </li>
  );
}
