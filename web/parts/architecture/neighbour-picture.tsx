/** A picture of a repository's neighbours: consumers on the left, dependencies on the right, two steps at most. */
import { useQueries } from '@tanstack/react-query';
import type { CallOutput } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { columnsOf, MAX_FIRST, MAX_SECOND, type PictureColumn, pictureOf } from './neighbour-columns.ts';

type Neighbours = CallOutput<'list-neighbours'>;

const BOX = { width: 168, height: 28 };
const GAP = { x: 56, y: 14 };
/** Names are cut so that they fit into a box. */
const MAX_NAME = 22;

export function NeighbourPicture({
  name,
  neighbours,
  repositoryId,
}: {
  name: string;
  neighbours: Neighbours;
  repositoryId: string;
}) {
  const first = columnsOf(repositoryId, name, neighbours);
  const next = useQueries({
    queries: first.nextToAsk.map((id) => operationQuery('list-neighbours', { repositoryId: id })),
  });
  const answers = new Map(first.nextToAsk.map((id, index) => [id, next[index]?.data]));
  const { columns, edges } = pictureOf(first, answers);
  if (edges.length === 0) return null;
  const rows = Math.max(...columns.map(({ boxes }) => boxes.length));
  const width = columns.length * (BOX.width + GAP.x) - GAP.x;
  const height = rows * (BOX.height + GAP.y) - GAP.y;
  const at = new Map(columns.flatMap((column, index) => placesOf(column, index, height)));
  return (
    <figure
      aria-label="Neighbors"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="mb-6 overflow-x-auto rounded-xl border border-line p-4"
    >
      <svg
        role="img"
        aria-label={`Neighbors of ${name}; the lists below have the same, with links.`}
        viewBox={`-1 -1 ${width + 2} ${height + 2}`}
        width={width + 2}
        height={height + 2}
        className="max-w-none"
      >
        {edges.map(({ from, to }) => {
          const [start, end] = [at.get(from)!, at.get(to)!];
          const [x1, x2] = [start.x + BOX.width, end.x - 6];
          const middle = (x1 + x2) / 2;
          const [y1, y2] = [start.y + BOX.height / 2, end.y + BOX.height / 2];
          return (
            <g key={`${from} ${to}`} className="fill-none stroke-strong-line">
              <path d={`M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}`} />
              <path d={`M${x2 - 4},${y2 - 4} L${x2 + 2},${y2} L${x2 - 4},${y2 + 4}`} />
            </g>
          );
        })}
        {columns.flatMap(({ boxes }) =>
          boxes.map(({ isSelf, key, text }) => {
            const { x, y } = at.get(key)!;
            return (
              <g key={key}>
                <title>{text}</title>
                <rect
                  x={x}
                  y={y}
                  {...BOX}
                  rx={6}
                  className={`fill-raised ${isSelf ? 'stroke-accent' : 'stroke-strong-line'}`}
                />
                <text
                  x={x + BOX.width / 2}
                  y={y + BOX.height / 2}
                  dominantBaseline="central"
                  textAnchor="middle"
                  className={`fill-current text-xs ${isSelf ? 'font-semibold' : ''}`}
                >
                  {text.length > MAX_NAME ? `…${text.slice(1 - MAX_NAME)}` : text}
                </text>
              </g>
            );
          }),
        )}
      </svg>
      <figcaption className="mt-2 text-xs text-quiet">
        An arrow points from a repository to one that it uses. Shows up to {MAX_FIRST} consumers with{' '}
        {MAX_SECOND} consumers each, and up to {MAX_FIRST} dependencies with {MAX_SECOND} dependencies each.
      </figcaption>
    </figure>
  );
}

function placesOf(
  { boxes }: PictureColumn,
  column: number,
  height: number,
): [string, { x: number; y: number }][] {
  const own = boxes.length * (BOX.height + GAP.y) - GAP.y;
  return boxes.map(({ key }, row) => [
    key,
    { x: column * (BOX.width + GAP.x), y: (height - own) / 2 + row * (BOX.height + GAP.y) },
  ]);
}
