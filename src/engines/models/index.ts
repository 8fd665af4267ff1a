/** The public interface of language models. */
export { type Conversation, type Conversed, converse, type ModelTool } from './converse.ts';
export { ModelError } from './model-error.ts';
export { BUILT_IN_INSTRUCTIONS } from './review/built-in-instructions.ts';
export type { CodePlace } from './review/code-tools.ts';
export { type Asking, findProblems, type Looked, type ModelReviewer } from './review/find-problems.ts';
export { lookAgain, type SecondLook } from './review/second-look.ts';
export type { FileWithText } from './review/show-files.ts';
export { type ModelAbilities, tryModel } from './try-model.ts';
export { type WrittenSentence, writeProse } from './write-prose.ts';
