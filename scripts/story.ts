/** When things happened in the sample organization: real moments of its making, and the moments they stand for. */

/** Now, in every screenshot. */
export const NOW = new Date('2026-03-12T10:30:00Z');
export const [MINUTE, HOUR, DAY] = [1, 60, 60 * 24];

export const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export class Story {
  readonly #marks: { realMs: number; minutes: number }[] = [];

  /** What is done from here on happened so many minutes before now. */
  async at(minutes: number): Promise<void> {
    // A moment of its own, whatever the clock's steps are.
    await new Promise((passed) => setTimeout(passed, 5));
    this.#marks.push({ realMs: Date.now(), minutes });
  }

  /** The moment that a timestamp of the service stands for; what happened before the story stays as it is. */
  tell(timestamp: string): string {
    const realMs = Date.parse(timestamp);
    const mark = this.#marks.findLast((each) => each.realMs <= realMs);
    if (!mark) return timestamp;
    return new Date(Date.parse(ago(mark.minutes)) + Math.min(realMs - mark.realMs, 50_000)).toISOString();
  }

  /** Tells every timestamp in a reply. */
  retell<Value>(value: Value): Value {
    if (typeof value === 'string') return (TIMESTAMP.test(value) ? this.tell(value) : value) as Value;
    if (Array.isArray(value)) return value.map((each) => this.retell(each)) as Value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.retell(each)])) as Value;
  }
}
