/** Maps the real times at which the sample organization was created to the times that screenshots show. */

/** The current time in every screenshot. */
export const NOW = new Date('2026-03-12T10:30:00Z');
export const [MINUTE, HOUR, DAY] = [1, 60, 60 * 24];

export const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export class Story {
  readonly #marks: { realMs: number; minutes: number }[] = [];

  /** From which real time on everything happened how many minutes ago, in order. */
  get marks(): readonly { realMs: number; minutes: number }[] {
    return this.#marks;
  }

  /** Everything created from here on is shown as having happened this many minutes ago. */
  async at(minutes: number): Promise<void> {
    // Ensures a distinct timestamp, whatever the resolution of the clock.
    await new Promise((passed) => setTimeout(passed, 5));
    this.#marks.push({ realMs: Date.now(), minutes });
  }

  /** The time to show for a timestamp of the service; earlier timestamps stay as they are. */
  shownTime(timestamp: string): string {
    const realMs = Date.parse(timestamp);
    const mark = this.#marks.findLast((each) => each.realMs <= realMs);
    if (!mark) return timestamp;
    return new Date(Date.parse(ago(mark.minutes)) + Math.min(realMs - mark.realMs, 50_000)).toISOString();
  }

  /** Adjusts every timestamp in a reply. */
  adjust<Value>(value: Value): Value {
    if (typeof value === 'string') return (TIMESTAMP.test(value) ? this.shownTime(value) : value) as Value;
    if (Array.isArray(value)) return value.map((each) => this.adjust(each)) as Value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.adjust(each)])) as Value;
  }
}
