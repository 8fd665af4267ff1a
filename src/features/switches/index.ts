/** The switches' door. */
export { changeSwitch } from './change-switch.ts';
export { listSwitches } from './list-switches.ts';
export { isSwitchedOn } from './switch-store.ts';
