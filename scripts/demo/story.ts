/** When the things of the demo happened, which are really all created within a minute. */

export const [MINUTE, HOUR, DAY] = [1, 60, 60 * 24];

export class Story {
  readonly #marks: { realMs: number; minutes: number }[] = [];

  /** From which real time on everything happened how many minutes ago, in order. */
  get marks(): readonly { realMs: number; minutes: number }[] {
    return this.#marks;
  }

  /** Everything created from here on happened this many minutes ago. */
  async at(minutes: number): Promise<void> {
    // Ensures a distinct timestamp, whatever the resolution of the clock.
    await new Promise((passed) => setTimeout(passed, 5));
    this.#marks.push({ realMs: Date.now(), minutes });
  }
}
