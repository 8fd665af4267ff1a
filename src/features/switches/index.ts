/** The public interface of organization settings. */
export { isSwitchedOn } from './switch-store.ts';
