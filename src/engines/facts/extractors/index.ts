/** All extractors. */
import type { Extractor } from '../extractor.ts';
import { contracts } from './contracts.ts';
import { entryPoints } from './entry-points.ts';
import { environment } from './environment.ts';
import { events } from './events/index.ts';
import { headings } from './headings.ts';
import { httpCalls } from './http-calls/index.ts';
import { infrastructure } from './infrastructure.ts';
import { manifests } from './manifests/index.ts';
import { owners } from './owners.ts';
import { routes } from './routes/index.ts';
import { symbolUses } from './symbol-uses.ts';
import { tables } from './tables/index.ts';

export const EXTRACTORS: readonly Extractor[] = [
  manifests,
  routes,
  httpCalls,
  events,
  tables,
  environment,
  contracts,
  entryPoints,
  headings,
  infrastructure,
  owners,
  symbolUses,
];
