/**
 * One reviewer's look at a change with a model: over whole changed files if they fit, else the model first names the places
 * that deserve a look. What was read is counted here, from what was sent; nothing that a model says changes it.
 */
import { z } from 'zod';
import type { ReportedFinding } from '../../review/contract/code-review.ts';
import { type Conversation, converse } from '../converse.ts';
import { type CodePlace, createCodeTools } from './code-tools.ts';
import { createFence, type Fence } from './fence.ts';
import { createReportTool } from './report-tool.ts';
import { type FileWithText, linesAround, showChanges, showFile } from './show-files.ts';

export const MAX_STEPS = 12;
const MAX_SPOTS = 5;
/** For all files in one question. */
const MAX_QUESTION_CHARACTERS = 100_000;

/** How a model is asked, without what is asked. */
export type Asking = Pick<Conversation, 'endpoint' | 'left' | 'onUsage' | 'signal' | 'maxRequestMs'>;

export interface ModelReviewer {
  key: string;
  title: string;
  instructions: string;
}

export interface Look {
  asking: Asking;
  place: CodePlace;
  reviewer: ModelReviewer;
  /** Written by the repository for its reviews. */
  guidelines: string;
  files: FileWithText[];
  report(finding: ReportedFinding): Promise<string>;
}

export interface Looked {
  /** Paths of files that were sent whole. */
  whole: Set<string>;
  /** Paths of files of which parts were sent. */
  partly: Set<string>;
  /** Why it ended early; null if it didn't. */
  ended: 'budget' | 'step_limit' | null;
}

export async function findProblems(look: Look): Promise<Looked> {
  const fence = createFence();
  const whole = look.files.map((file) => showFile(file));
  const looked: Looked = { whole: new Set(), partly: new Set(), ended: null };
  if (sizeOf(whole) <= MAX_QUESTION_CHARACTERS) {
    await passOver(look, fence, whole.join('\n\n'), looked);
    if (looked.ended !== 'budget') for (const { path } of look.files) looked.whole.add(path);
    return looked;
  }
  const spots = await nameSpots(look, fence, looked);
  for (const { file, line } of spots) {
    if (looked.ended === 'budget') break;
    looked.partly.add(file.path);
    await passOver(look, fence, showFile(file, linesAround(line)), looked);
  }
  return looked;
}

async function passOver(look: Look, fence: Fence, shown: string, looked: Looked): Promise<void> {
  const { asking, place, report, reviewer } = look;
  const { ended } = await converse({
    ...asking,
    instructions: instructionsFor(look, fence),
    question: fence.around(
      'The change. Each line has its number at the head; + marks added lines, - lines that were removed, with their old numbers:',
      shown,
    ),
    tools: { ...createCodeTools(place, fence), report_finding: createReportTool(reviewer.key, report) },
    maxSteps: MAX_STEPS,
  });
  if (ended !== 'answered') looked.ended = ended;
}

interface Spot {
  file: FileWithText;
  line: number;
}

async function nameSpots(look: Look, fence: Fence, looked: Looked): Promise<Spot[]> {
  const spots: Spot[] = [];
  const share = MAX_QUESTION_CHARACTERS / look.files.length;
  const shown = look.files.map((file) => showChanges(file).slice(0, Math.max(share, 200)));
  const { ended } = await converse({
    ...look.asking,
    instructions: `${instructionsFor(look, fence)}\n\nThe change is large. First name the places, at most ${MAX_SPOTS}, that most deserve a close look for this review, with name_spot. You will be shown each of them afterwards.`,
    question: fence.around('Parts of the change:', shown.join('\n\n').slice(0, MAX_QUESTION_CHARACTERS)),
    tools: {
      name_spot: {
        description: 'Names a place that deserves a close look.',
        input: z.object({ file: z.string().max(1000), line: z.number().int().min(1) }),
        async run({ file: path, line }: { file: string; line: number }) {
          const file = look.files.find((each) => each.path === path);
          if (!file) return `${path} is not a changed file.`;
          if (spots.length < MAX_SPOTS) spots.push({ file, line });
          return spots.length < MAX_SPOTS ? 'Noted.' : 'Noted. These are enough.';
        },
      },
    },
    maxSteps: MAX_SPOTS,
    isDone: () => spots.length === MAX_SPOTS,
  });
  if (ended === 'budget') looked.ended = 'budget';
  return spots;
}

function instructionsFor({ guidelines, reviewer }: Look, fence: Fence): string {
  return [
    `You review a change of code as the reviewer "${reviewer.title}". Look for this and nothing else:`,
    reviewer.instructions,
    ...(guidelines === '' ? [] : [fence.around('Conventions of this repository:', guidelines)]),
    'Report each problem with the tool report_finding, one call for each. Only what you report there counts; what you write otherwise is not read by anyone. Report only problems that this change introduces, that you can point to, and for which you know an input or event that makes them happen. Look up what you need with the other tools before you report. A refusal says what to fix. If there is nothing to report, report nothing: that is the usual case. Style, naming, praise and advice are not problems.',
    fence.rule,
  ].join('\n\n');
}

function sizeOf(texts: string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
