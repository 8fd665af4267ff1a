/** The suggestions that this person collects to apply in one commit, for what is shown inside the pull request's page. */
import { createContext, useContext } from 'react';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import type { ChosenSuggestion, SuggestionState } from './suggestion-state.ts';

export interface ChosenWithState extends ChosenSuggestion {
  state: SuggestionState;
}

export interface SuggestionBatch {
  pullRequest: PullRequest;
  /** Why nothing can be applied here; undefined if it can. */
  blocked: string | undefined;
  chosen: readonly ChosenWithState[];
  add(suggestion: ChosenSuggestion): void;
  remove(suggestion: { commentId: string; index: number }): void;
  /** Opens the dialog for these. */
  apply(suggestions: readonly ChosenWithState[]): void;
}

export const BatchContext = createContext<SuggestionBatch | undefined>(undefined);
export const useSuggestionBatch = () => useContext(BatchContext);
