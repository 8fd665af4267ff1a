/** One bar for each week, with a scale and dates, and the same as a table for those who can't see it. */
import type { CallOutput } from '../../api/client.ts';

type Week = CallOutput<'get-review-figures'>['weeks'][number];

const PARTS = [
  { name: 'Addressed', fill: 'fill-good', dot: 'bg-good' },
  { name: 'Dismissed', fill: 'fill-quiet', dot: 'bg-quiet' },
  { name: 'Open', fill: 'fill-accent', dot: 'bg-accent' },
] as const;
const HEIGHT = 60;
const STEP = 20;
const BAR = 14;

export function FindingsByWeek({ weeks }: { weeks: Week[] }) {
  const highest = Math.max(1, ...weeks.map(({ findings }) => findings));
  const [first, last] = [weeks[0], weeks.at(-1)];
  return (
    <figure className="grid gap-2">
      <div aria-hidden="true" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-quiet">
        <div className="flex flex-col justify-between text-right leading-none tabular-nums">
          <span>{highest}</span>
          <span>0</span>
        </div>
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${weeks.length * STEP} ${HEIGHT}`}
          className="h-24 w-full border-t border-b border-t-line border-b-strong-line"
          preserveAspectRatio="none"
        >
          {weeks.map((week, index) => (
            <Bar key={week.week} week={week} left={index * STEP + (STEP - BAR) / 2} highest={highest} />
          ))}
        </svg>
        <div className="col-start-2 mt-1 flex justify-between">
          {first && <span>{dateOf(first)}</span>}
          {last && last !== first && <span>{dateOf(last)}</span>}
        </div>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
        {PARTS.map(({ dot, name }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span className={`size-2 rounded-full ${dot}`} aria-hidden="true" />
            {name}
          </span>
        ))}
        <span>Findings by week, last {weeks.length} weeks</span>
      </figcaption>
      <AsTable weeks={weeks} />
    </figure>
  );
}

/** Addressed findings are at the bottom. */
function Bar({ highest, left, week }: { week: Week; left: number; highest: number }) {
  let bottom = HEIGHT;
  return (
    <g>
      <title>{`${dateOf(week)}: ${week.findings} found, ${week.addressed} addressed, ${week.dismissed} dismissed`}</title>
      {countsOf(week).map((count, part) => {
        const height = (count / highest) * HEIGHT;
        bottom -= height;
        const { fill, name } = PARTS[part]!;
        return <rect key={name} className={fill} x={left} y={bottom} width={BAR} height={height} />;
      })}
    </g>
  );
}

function AsTable({ weeks }: { weeks: Week[] }) {
  return (
    <table className="sr-only">
      <caption>Findings by week</caption>
      <thead>
        <tr>
          <th scope="col">Week from</th>
          {PARTS.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week.week}>
            <th scope="row">{dateOf(week)}</th>
            {countsOf(week).map((count, part) => (
              <td key={PARTS[part]!.name}>{count}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** In the order of the parts. */
function countsOf({ addressed, dismissed, findings }: Week): number[] {
  return [addressed, dismissed, findings - addressed - dismissed];
}

function dateOf({ week }: Week): string {
  return new Date(week).toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}
