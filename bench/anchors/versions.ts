/** Two versions of a generated text, with paragraphs edited, added, removed and moved, as in a revision. */

export function makeVersions(length: number) {
  const random = randomNumbers(5);
  const vocabulary = Array.from({ length: 5000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 8) }, () =>
      String.fromCharCode(97 + Math.floor(random() * 26)),
    ).join(''),
  );
  const word = () => vocabulary[Math.floor(random() * random() * vocabulary.length)]!;
  const sentence = () => {
    const words = Array.from({ length: 6 + Math.floor(random() * 12) }, word).join(' ');
    return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
  };

  const paragraphs: string[] = [];
  for (let size = 0; size < length; size += paragraphs.at(-1)!.length + 2) {
    if (random() < 0.1) paragraphs.push(`## ${word()} ${word()}`);
    else {
      const sentences = Array.from({ length: 1 + Math.floor(random() * 4) }, sentence);
      paragraphs.push(sentences.join(random() < 0.5 ? ' ' : '\n'));
    }
  }
  const middle = paragraphs.findIndex(
    (text, index) => index > paragraphs.length / 2 && !text.startsWith('#'),
  );
  const before = paragraphs.join('\n\n');
  const start = paragraphs.slice(0, middle).join('\n\n').length + 2;

  const revised = paragraphs.flatMap((text, index) => {
    const chance = random();
    if (index === middle) return [text.replace(/ \w+/, ' changed')];
    if (chance < 0.02) return [];
    if (chance < 0.04) return [text, sentence()];
    return [chance < 0.08 ? text.replace(/ \w+/, ` ${word()}`) : text];
  });
  for (let moves = 0; moves < 20; moves += 1) {
    const [moved] = revised.splice(Math.floor(random() * revised.length), 1);
    revised.splice(Math.floor(random() * revised.length), 0, moved!);
  }
  const end = start + paragraphs[middle]!.search(/\.(?=\s|$)/) + 1;
  return { before, after: revised.join('\n\n'), quote: { start, end } };
}

/** A seeded generator: the same numbers on every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
