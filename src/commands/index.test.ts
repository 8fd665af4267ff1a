/** A command's file is found by its first word. */
import { expect, it } from 'vitest';
import { loadCommands } from './index.ts';

it('loads the commands of one word, and all of them for any other word', async () => {
  const all = await loadCommands();
  const words = new Set(all.map(({ name }) => name.split(' ')[0]!));
  for (const word of words)
    expect(await loadCommands(word)).toEqual(all.filter(({ name }) => name.split(' ')[0] === word));
  for (const word of ['--help', 'toString', '']) expect(await loadCommands(word)).toEqual(all);
});
