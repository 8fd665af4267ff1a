/** Chooses the repositories in the picture of neighbours, and connects them. */
import type { CallOutput } from '../../api/client.ts';

type Neighbours = CallOutput<'list-neighbours'>;
type Neighbour = Neighbours['consumers'][number];

/** In a column of the first step, and for each of them in the second. */
export const MAX_FIRST = 6;
export const MAX_SECOND = 3;

export interface PictureBox {
  /** A repository can be both a consumer and a dependency. */
  key: string;
  text: string;
  isSelf: boolean;
}

export interface PictureColumn {
  boxes: PictureBox[];
}

export interface FirstStep {
  self: PictureBox;
  selfId: string;
  consumers: Neighbour[];
  dependencies: Neighbour[];
  /** The neighbours of these are the second step. */
  nextToAsk: string[];
}

export function columnsOf(selfId: string, name: string, neighbours: Neighbours): FirstStep {
  const consumers = neighbours.consumers.slice(0, MAX_FIRST);
  const dependencies = neighbours.dependencies.slice(0, MAX_FIRST);
  return {
    self: { key: 'self', text: name, isSelf: true },
    selfId,
    consumers,
    dependencies,
    nextToAsk: [...new Set([...consumers, ...dependencies].map(({ repoId }) => repoId))],
  };
}

/** Columns from left to right: consumers of consumers, consumers, the repository, dependencies, and theirs. */
export function pictureOf(
  { consumers, dependencies, self, selfId }: FirstStep,
  answers: ReadonlyMap<string, Neighbours | undefined>,
): { columns: PictureColumn[]; edges: { from: string; to: string }[] } {
  const edges: { from: string; to: string }[] = [];
  const boxOf = (side: string, { repoId, repoName }: Neighbour): PictureBox => ({
    key: `${side} ${repoId}`,
    text: repoName,
    isSelf: false,
  });
  const secondOf = (side: 'consumers' | 'dependencies', first: Neighbour[]) => {
    const shown = new Set([selfId, ...first.map(({ repoId }) => repoId)]);
    const boxes = new Map<string, PictureBox>();
    for (const { repoId } of first) {
      const further = answers.get(repoId)?.[side].filter((each) => !shown.has(each.repoId)) ?? [];
      for (const each of further.slice(0, MAX_SECOND)) {
        const box = boxOf(`second ${side}`, each);
        boxes.set(box.key, box);
        const ends = [box.key, `${side} ${repoId}`] as const;
        edges.push(side === 'consumers' ? { from: ends[0], to: ends[1] } : { from: ends[1], to: ends[0] });
      }
    }
    return [...boxes.values()];
  };
  const users = consumers.map((each) => boxOf('consumers', each));
  const used = dependencies.map((each) => boxOf('dependencies', each));
  edges.push(...users.map(({ key }) => ({ from: key, to: self.key })));
  edges.push(...used.map(({ key }) => ({ from: self.key, to: key })));
  const columns = [
    secondOf('consumers', consumers),
    users,
    [self],
    used,
    secondOf('dependencies', dependencies),
  ];
  return { columns: columns.filter((boxes) => boxes.length > 0).map((boxes) => ({ boxes })), edges };
}
