/** The public interface of language models. */
export { type Conversation, type Conversed, converse, type ModelTool } from './converse.ts';
export { ModelError } from './model-error.ts';
export { type ModelAbilities, tryModel } from './try-model.ts';
