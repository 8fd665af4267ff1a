/** Common to all measurements: interleaved rounds of ours and a reference, and the ratio of their medians. */

export interface Result {
  /** The number of the target in the performance design, such as P1. */
  id: string;
  what: string;
  unit: string;
  ours: number;
  reference: number;
  referenceName: string;
  /** Ours divided by the reference. */
  ratio: number;
  target: { least: number } | { most: number };
  held: boolean;
  rounds: { ours: number[]; reference: number[] };
}

export interface Measurement {
  id: string;
  what: string;
  unit: string;
  referenceName: string;
  target: Result['target'];
  rounds: number;
  /** Prepares both sides; each function returns one reading. */
  prepare(): Promise<{ ours(): Promise<number>; reference(): Promise<number>; end(): Promise<void> }>;
}

export async function measure(measurement: Measurement, tell: (line: string) => void): Promise<Result> {
  const { id, referenceName, rounds, target, unit, what } = measurement;
  const sides = await measurement.prepare();
  const readings = { ours: [] as number[], reference: [] as number[] };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      // The order alternates, so that neither side always benefits from the other's warm-up.
      for (const side of round % 2 ? (['reference', 'ours'] as const) : (['ours', 'reference'] as const)) {
        readings[side].push(await sides[side]());
      }
      tell(
        `${id} round ${round} of ${rounds}: ours ${show(readings.ours.at(-1)!)}, ${referenceName} ${show(readings.reference.at(-1)!)} ${unit}`,
      );
    }
  } finally {
    await sides.end();
  }
  const ours = median(readings.ours);
  const reference = median(readings.reference);
  const ratio = ours / reference;
  const held = 'least' in target ? ratio >= target.least : ratio <= target.most;
  return { id, what, unit, ours, reference, referenceName, ratio, target, held, rounds: readings };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function show(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);
}
