/**
 * Another look at one finding, by a model that is told to refute it and sees the code and the facts, not how the finding came
 * about. An answer that can't be parsed doesn't count.
 */
import { z } from 'zod';
import type { Candidate } from '../../review/contract/code-review.ts';
import { converse } from '../converse.ts';
import { type CodePlace, createCodeTools } from './code-tools.ts';
import { createFence } from './fence.ts';
import type { Asking } from './find-problems.ts';
import { type FileWithText, linesAround, showFile } from './show-files.ts';

const MAX_STEPS = 8;

export type SecondLook = 'confirmed' | 'refuted' | 'no_answer';

export async function lookAgain(look: {
  asking: Asking;
  place: CodePlace;
  candidate: Candidate;
  /** The file that it is about. */
  file: FileWithText | undefined;
}): Promise<SecondLook> {
  const { asking, candidate, file, place } = look;
  const fence = createFence();
  let verdict: SecondLook = 'no_answer';
  const facts = [
    `Statement: ${candidate.title}`,
    `What would go wrong: ${candidate.scenario}`,
    `About: ${candidate.subject}`,
    `At: ${candidate.file}:${candidate.line}${candidate.side === 'base' ? ' (a removed line)' : ''}`,
    `Code: ${candidate.quote}`,
    ...candidate.evidence.map(({ line, path, quote }) => `See also: ${path}:${line}: ${quote}`),
    ...(candidate.fix === undefined ? [] : [`Proposed instead: ${candidate.fix}`]),
  ];
  await converse({
    ...asking,
    instructions: [
      'Someone states that a change of code introduces a problem. Such statements are often wrong. Try to refute it: look up the code with the tools, and check every step of the scenario. Judge only whether it is true, not whether it matters.',
      'Then call give_verdict once: refuted if any part of it is wrong, or you cannot find what it needs to be true; confirmed only if you followed the scenario in the code and it happens as stated.',
      fence.rule,
    ].join('\n\n'),
    question: [
      fence.around('The statement:', facts.join('\n')),
      ...(file && file.text !== null
        ? [fence.around('The code around it:', showFile(file, linesAround(candidate.line)))]
        : []),
    ].join('\n\n'),
    tools: {
      ...createCodeTools(place, fence),
      give_verdict: {
        description: 'Says whether the statement is true.',
        input: z.object({ verdict: z.enum(['confirmed', 'refuted']) }),
        async run({ verdict: given }: { verdict: 'confirmed' | 'refuted' }) {
          // The first one counts.
          if (verdict === 'no_answer') verdict = given;
          return 'Noted.';
        },
      },
    },
    maxSteps: MAX_STEPS,
    isDone: () => verdict !== 'no_answer',
  });
  return verdict;
}
