/** A setting of the organization, as the service lists it. */
import type { CallOutput } from '../../api/client.ts';

export type Setting = CallOutput<'list-switches'>['switches'][number];
