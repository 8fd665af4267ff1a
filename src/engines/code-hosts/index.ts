/** The public interface of code hosts: the port and its errors. */
export { HostError, type HostErrorCode, isHostError } from './host-error.ts';
export type * from './port.ts';
