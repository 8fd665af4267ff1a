/** When the things of the demo happened, which are really all created within a minute. */

export const [MINUTE, HOUR, DAY] = [1, 60, 60 * 24];

export interface Chapter {
  /** Everything that the chapter creates from here on happened this many minutes ago. */
  at(minutes: number): Promise<void>;
}

export class Story implements Chapter {
  readonly #marks: { realMs: number; minutes: number }[] = [];

  /** From which real time on everything happened how many minutes ago, in order. */
  get marks(): readonly { realMs: number; minutes: number }[] {
    return this.#marks;
  }

  async at(minutes: number): Promise<void> {
    // Ensures a distinct timestamp, whatever the resolution of the clock.
    await new Promise((passed) => setTimeout(passed, 5));
    this.#marks.push({ realMs: Date.now(), minutes });
  }

  /** Runs chapters side by side: whatever happened earlier is created earlier, so that every list is in order. */
  async tell<Results extends unknown[]>(
    ...chapters: { [Index in keyof Results]: (chapter: Chapter) => Promise<Results[Index]> }
  ): Promise<Results> {
    const waiting: { minutes: number; go(): void }[] = [];
    let running = chapters.length;
    /** When every chapter is waiting, the one whose next part is oldest continues. */
    const next = () => {
      if (running > 0 || waiting.length === 0) return;
      waiting.sort((left, right) => left.minutes - right.minutes);
      running += 1;
      waiting.pop()!.go();
    };
    const pause = async (minutes: number) => {
      await new Promise<void>((go) => {
        waiting.push({ minutes, go });
        running -= 1;
        next();
      });
      await this.at(minutes);
    };
    const results = chapters.map((chapter) =>
      chapter({ at: pause }).finally(() => {
        running -= 1;
        next();
      }),
    );
    return (await Promise.all(results)) as Results;
  }
}
