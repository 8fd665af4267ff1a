/** Every setting with its default and allowed values. */
import { dataSettings } from './data-settings.ts';
import { modelSettings } from './model-settings.ts';
import { networkSettings } from './network-settings.ts';
import { peopleSettings } from './people-settings.ts';
import { serviceSettings } from './service-settings.ts';
import { tracingSettings } from './tracing-settings.ts';

export { modelsOf } from './model-settings.ts';
export type { ProcessRole } from './service-settings.ts';
export { InvalidSetting, type Setting } from './setting.ts';

export const SETTINGS = {
  ...serviceSettings,
  ...networkSettings,
  ...tracingSettings,
  ...modelSettings,
  ...dataSettings,
  ...peopleSettings,
};
