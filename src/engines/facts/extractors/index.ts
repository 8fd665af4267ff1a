/** All extractors. */
import type { Extractor } from '../extractor.ts';

export const EXTRACTORS: readonly Extractor[] = [];
