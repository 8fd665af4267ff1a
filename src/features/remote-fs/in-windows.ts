/** Groups what arrives within a short time, so that it can be sorted before it is passed on. */

/** The first item waits for `windowMs`; so does the first one after each group. Ends the iteration when it is ended. */
export async function* inWindows<Item>(items: AsyncIterable<Item>, windowMs: number): AsyncGenerator<Item[]> {
  const iterator = items[Symbol.asyncIterator]();
  let group: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  let due: Promise<undefined> | undefined;
  const startTimer = () =>
    new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), windowMs);
    });
  let next = iterator.next();
  try {
    for (;;) {
      const arrived = await (due ? Promise.race([next, due]) : next);
      if (!arrived) {
        yield group;
        group = [];
        due = undefined;
        continue;
      }
      if (arrived.done) break;
      group.push(arrived.value);
      due ??= startTimer();
      next = iterator.next();
    }
    if (group.length > 0) yield group;
  } finally {
    clearTimeout(timer);
    next.catch(() => undefined);
    await iterator.return?.();
  }
}
