/**
 * Has a model write sentences in better prose. Each new sentence names the ones that it says again, and may contain no name,
 * path or number that they don't have; others are dropped. What no new sentence says again stays as it was.
 */
import { z } from 'zod';
import { converse } from './converse.ts';
import { createFence } from './review/fence.ts';
import type { Asking } from './review/find-problems.ts';

const MAX_STEPS = 4;
const MAX_SENTENCE_CHARACTERS = 900;
/** Names in code, paths, addresses and numbers. */
const PRECISE = /`[^`]+`|[\w$@~-]*(?:[./:_#][\w$@~/-]+)+|\b\w*\d\w*\b|\b[a-z]+[A-Z]\w*\b/g;

export interface WrittenSentence {
  text: string;
  /** Positions of the sentences that it says again, from 0. */
  from: number[];
}

/** Empty when the model wrote nothing that can be used. */
export async function writeProse(
  asking: Asking,
  about: string,
  sentences: readonly string[],
): Promise<WrittenSentence[]> {
  const fence = createFence();
  const written: WrittenSentence[] = [];
  await converse({
    ...asking,
    instructions: [
      `Below are numbered sentences about a repository, made from its code. Write them again as prose that a colleague would write: plain, precise, in a sensible order, without repetition and without praise. Say nothing that they don't say. Keep names, paths and numbers exactly.`,
      'Call write_sentence once for each sentence of your text, in order, with the numbers of all sentences that it is based on. Only these calls are used.',
      fence.rule,
    ].join('\n\n'),
    question: fence.around(
      'The sentences:',
      [`About: ${about}`, ...sentences.map((text, index) => `${index + 1}. ${text}`)].join('\n'),
    ),
    tools: {
      write_sentence: {
        description: 'Writes the next sentence.',
        input: z.object({
          text: z.string().min(1).max(MAX_SENTENCE_CHARACTERS),
          basedOn: z.array(z.number().int()).max(20).describe('Numbers of the sentences that say this.'),
        }),
        async run({ basedOn, text }: { text: string; basedOn: number[] }) {
          const from = [...new Set(basedOn)].filter((number) => sentences[number - 1] !== undefined);
          if (from.length === 0) return 'Refused: name the sentences that say this.';
          const invented = findInvented(text, from.map((number) => sentences[number - 1]!).join(' '));
          if (invented !== undefined) return `Refused: ${invented} is in none of these sentences.`;
          if (written.length >= sentences.length) return 'Refused: the text is longer than before.';
          written.push({
            text: text
              .replaceAll(/[\s\p{Cc}]+/gu, ' ')
              .trim()
              .toWellFormed(),
            from: from.map((number) => number - 1),
          });
          return 'Noted.';
        },
      },
    },
    maxSteps: MAX_STEPS,
  });
  return written;
}

/** The first name, path or number that the sentences don't have. */
export function findInvented(text: string, sources: string): string | undefined {
  const known = sources.toLowerCase();
  return [...text.matchAll(PRECISE)]
    .map(([found]) => found.replaceAll('`', '').replace(/[.,:;]+$/, ''))
    .find((found) => found !== '' && !known.includes(found.toLowerCase()));
}
